"""Names a checkpoint of a run: `best`, `newest`, `final`, a step, or an artifact id; `RUN@best` names both at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.core.errors import NotFound

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

CheckpointOption = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        help="Which checkpoint: best, newest, final, a step, or an id (default: the best one).",
        show_default=False,
        autocompletion=lambda: ["best", "newest", "final"],
    ),
]


def split_run(text: str) -> tuple[str, str | None]:
    """`lander@best` as the run and its checkpoint; a text without `@` is a run."""
    run, _, checkpoint = text.partition("@")
    return run, checkpoint or None


def find_checkpoint(client: LabClient, run_id: str, wanted: str | None) -> str | None:
    """The id of the named checkpoint; None stays None, and the lab chooses."""
    if wanted is None:
        return None
    files = client.get(f"/api/runs/{run_id}/artifacts")
    found = [file for file in files if file["kind"] == "checkpoint"]
    chosen = _choose(found, wanted)
    if chosen is None:
        raise NotFound(f"The run has no checkpoint “{wanted}”.", next_step=_what_there_is(found))
    return str(chosen["id"])


def _choose(found: list[dict[str, Any]], wanted: str) -> dict[str, Any] | None:
    if wanted in ("newest", "latest"):
        return max(found, key=lambda one: (one["timestep"] or 0, one["created_at"]), default=None)
    if wanted in ("best", "final"):
        return next((one for one in found if one["role"] == wanted), None)
    step = wanted.replace(",", "").replace("_", "")
    for one in found:
        if wanted == one["id"] or (step.isdigit() and int(step) == one["timestep"]):
            return one
    return None


def _what_there_is(found: list[dict[str, Any]]) -> str | None:
    steps = sorted({file["timestep"] for file in found if file["timestep"] is not None})
    return f"It has them at the steps {', '.join(f'{step:,}' for step in steps)}." if steps else None
