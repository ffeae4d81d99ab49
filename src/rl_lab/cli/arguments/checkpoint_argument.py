"""Names a checkpoint of a run: `best`, `newest`, `final`, a step, a tag, or an artifact id; `RUN@best` names both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.core.errors import InvalidInput, NotFound, nearest

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

CheckpointOption = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        help="Which checkpoint: best, newest, final, a step, a tag, or an id (default: the best one).",
        show_default=False,
        autocompletion=lambda: ["best", "newest", "final"],
    ),
]
ROLES = ("best", "newest", "final")
STEP = re.compile(r"(?P<number>\d+(\.\d+)?)(?P<unit>[km]?)", re.IGNORECASE)
UNITS = {"": 1, "k": 1000, "m": 1_000_000}
SHOWN_STEPS = 12


def split_run(text: str) -> tuple[str, str | None]:
    """`lander@best` as the run and its checkpoint; a text without `@` is a run."""
    run, at, checkpoint = text.partition("@")
    if at and not checkpoint:
        raise InvalidInput(
            f"Nothing is named after the @ of “{text}”.",
            next_step=f"Write {run}@best, {run}@newest or {run}@STEP; or {run} alone.",
        )
    return run, checkpoint or None


def find_checkpoint(client: LabClient, run_id: str, wanted: str | None) -> str | None:
    """The id of the named checkpoint; None stays None, and the lab chooses."""
    return None if wanted is None else str(get_checkpoint(client, run_id, wanted)["id"])


def get_checkpoint(client: LabClient, run_id: str, wanted: str) -> dict[str, Any]:
    """The named checkpoint; NotFound says which there are."""
    found = list_checkpoints(client, run_id)
    chosen = _choose(found, wanted)
    if chosen is None:
        raise NotFound(f"The run has no checkpoint “{wanted}”.", next_step=_what_there_is(found, wanted))
    return chosen


def list_checkpoints(client: LabClient, run_id: str) -> list[dict[str, Any]]:
    """Most training first; of two of the same step, the best one first."""
    files = client.get(f"/api/runs/{run_id}/artifacts")
    found = [file for file in files if file["kind"] == "checkpoint"]
    return sorted(found, key=lambda one: (_step(one), one["role"] == "best", one["created_at"]), reverse=True)


def _step(one: dict[str, Any]) -> int:
    return int(one["timestep"] or 0)


def _choose(found: list[dict[str, Any]], wanted: str) -> dict[str, Any] | None:
    """Of two of one step not the best one: it is replaced during training, the other is not."""
    if wanted in ("newest", "latest"):
        return max(
            found, key=lambda one: (_step(one), one["role"] != "best", one["created_at"]), default=None
        )
    if wanted in ROLES:
        return next((one for one in found if one["role"] == wanted), None)
    by_step = [one for one in found if one["timestep"] is not None and one["timestep"] == read_step(wanted)]
    lasting = [one for one in by_step if one["role"] != "best"]
    tagged = [one for one in found if wanted in one.get("tags", ())]
    named = [one for one in found if wanted == one["id"]]
    return next(iter([*named, *lasting, *by_step, *tagged]), None)


def read_step(text: str) -> int | None:
    """40000, 40,000, 40_000, 40k and 1.5m; None for anything else."""
    match = STEP.fullmatch(text.replace(",", "").replace("_", ""))
    return round(float(match["number"]) * UNITS[match["unit"].lower()]) if match else None


def _what_there_is(found: list[dict[str, Any]], wanted: str) -> str | None:
    steps = sorted({_step(file) for file in found if file["timestep"] is not None})
    if not steps:
        return "It has none yet: let it train until one is saved, or stop it, which saves one."
    tags = sorted({tag for file in found for tag in file.get("tags", ())})
    roles = {str(file["role"]) for file in found} | {"newest"}
    hint = _meant(wanted, steps, [*roles, *tags])
    tagged = f", and tags {', '.join(tags)}" if tags else ""
    there = f"them at the steps {_listed(steps)}" if len(steps) > 1 else f"one at step {steps[0]:,}"
    return f"{hint}It has {there}{tagged}."


def _meant(wanted: str, steps: list[int], words: list[str]) -> str:
    """Checkpoints are saved after an update, so a round number is rarely the step of one."""
    step = read_step(wanted)
    if step is not None:
        return f"The nearest is @{min(steps, key=lambda one: abs(one - step))}. "
    if wanted == "best":
        return "None is known to be the best; a run that was rewound chooses one when it resumes. "
    close = nearest(wanted, [*words, *map(str, steps)], count=1)
    return f"Did you mean {close[0]}? " if close else ""


def _listed(steps: list[int]) -> str:
    """All of them, or the first and the last ones."""
    texts = [f"{step:,}" for step in steps]
    if len(texts) > SHOWN_STEPS:
        texts = [*texts[: SHOWN_STEPS // 2], "…", *texts[-SHOWN_STEPS // 2 :]]
    return ", ".join(texts)
