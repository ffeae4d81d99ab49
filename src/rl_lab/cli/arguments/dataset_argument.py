"""`--dataset NAME[@vN]`: what a training learns from, or begins its replay buffer with."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.completion import complete_dataset
from rl_lab.core.errors import LabError

OFFLINE = "offline"

DatasetOption = Annotated[
    str | None,
    typer.Option(
        "--dataset",
        metavar="NAME[@vN]",
        help="Learn from this dataset, with a runner such as offline; its newest version unless one is named. ENV is "
        "that of the dataset. With DQN, SAC or TD3 of sb3, the replay buffer begins with it.",
        autocompletion=complete_dataset,
        show_default=False,
    ),
]


def read_dataset(written: str | None) -> dict[str, Any] | None:
    """As the lab takes it."""
    from rl_lab.core.datasets.names import read_choice

    return read_choice(written).model_dump(exclude_none=True) if written is not None else None


def runner_for_dataset(algorithm: str) -> str:
    """For a training with a dataset that names none: offline, or sb3 for its learners with a replay buffer."""
    from rl_lab.runners.registry import find_spec

    sb3 = find_spec("sb3")
    buffers = {one.id for one in sb3.algorithms if one.prefill}
    return sb3.id if algorithm.lower() in buffers else OFFLINE


def learns_from_dataset(runner: str | None) -> bool:
    """Whether a training with this runner names a dataset, and its environment only if it likes."""
    from rl_lab.runners.registry import find_spec

    try:
        return runner is not None and find_spec(runner).capabilities.dataset
    except LabError:
        return False
