"""`--kind`: trainings, plays, evaluations and other jobs are runs; lists show one kind of them, or all."""

from __future__ import annotations

from typing import Annotated

import typer

ALL = "all"
KindOption = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        help="Only runs of this kind: train (default), play, evaluate, duel, dataset and others; or all.",
        show_default=False,
    ),
]


def read_kind(written: str | None) -> str | None:
    """As the lab takes it."""
    from rl_lab.core.errors import InvalidInput
    from rl_lab.core.jobs.kinds import RunKind

    known = [*map(str, RunKind), ALL]
    if written is not None and written not in known:
        raise InvalidInput.of_field("--kind", f"There is no kind of run “{written}”.", known)
    return written
