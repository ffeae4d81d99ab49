"""The W&B line of `rl-lab show`."""

import pytest

from rl_lab.cli.commands.runs import wandb_text


@pytest.mark.parametrize(
    ("wandb", "line"),
    [
        (
            {"url": "https://wandb.ai/a", "how": "", "upload_text": "Done."},
            "Done. https://wandb.ai/a (according to the script)",
        ),
        ({"url": None, "how": "wandb sync x", "upload_text": "Kept here."}, "Kept here. wandb sync x"),
    ],
)
def test_it_has_the_state_with_the_address_or_the_next_step(wandb: dict[str, str], line: str) -> None:
    assert wandb_text(wandb) == line
