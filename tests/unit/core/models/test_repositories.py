"""What names a repository on the Hub."""

from __future__ import annotations

import pytest

from rl_lab.core.models.transfers import find_repo


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("ada/ppo-lander", "ada/ppo-lander"),
        (" ada/ppo-lander ", "ada/ppo-lander"),
        ("https://huggingface.co/ada/ppo-lander", "ada/ppo-lander"),
        ("https://hf.co/ada/ppo-lander/", "ada/ppo-lander"),
        ("hf.co/ada/ppo-lander", "ada/ppo-lander"),
        ("https://example.org/ada/lander", None),
        ("https://huggingface.co/ada/lander/tree/main", None),
        ("lander", None),
        ("a b/c", None),
        ("", None),
        ("a/" + "b" * 100, None),
    ],
)
def test_a_name_or_the_address_of_its_page(typed: str, found: str | None) -> None:
    assert find_repo(typed) == found
