"""Names of repositories on the Hub."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rl_lab.core.models.transfers import NewPull


@pytest.mark.parametrize(
    "address", ["https://huggingface.co/ada/lander/tree/main", "hf.co/ada/lander/blob/main/x.zip"]
)
def test_an_address_is_answered_with_the_name_in_it(address: str) -> None:
    with pytest.raises(ValidationError, match="write ada/lander, with"):
        NewPull(repo=address)
