"""`--dataset NAME[@vN]`: what a training learns from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.completion import complete_dataset

DatasetOption = Annotated[
    str | None,
    typer.Option(
        "--dataset",
        metavar="NAME[@vN]",
        help="Learn from this dataset, with a runner such as offline; its newest version unless one is named. ENV is "
        "that of the dataset.",
        autocompletion=complete_dataset,
        show_default=False,
    ),
]


def read_dataset(written: str | None) -> dict[str, Any] | None:
    """As the lab takes it."""
    from rl_lab.core.datasets.names import read_choice

    return read_choice(written).model_dump(exclude_none=True) if written is not None else None
