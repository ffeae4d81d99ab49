"""The moment of a recorded episode that a play takes over, and how the play has to be started for it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from rl_lab.core.environments import names_module
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs.play import TakeOver
from rl_lab.core.own_environments import executes_own_code
from rl_lab.core.recordings import Recording
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.jobs.dataset_recordings import find_dataset_recording
from rl_lab.orchestrator.jobs.sources import Sources


class TakenOver(NamedTuple):
    start: TakeOver
    """With the exact version of its dataset."""
    recording: Recording
    """Names its run where the play needs what that run was allowed to read."""
    is_confined: bool = False
    """Whether others have named a module or arguments of its environment."""
    parent_id: str | None = None


async def find_taken_over(sources: Sources, start: TakeOver) -> TakenOver:
    taken = await _of_dataset(sources, start) if start.dataset is not None else await _of_run(sources, start)
    _require_step(start, taken.recording)
    return taken


async def _of_run(sources: Sources, start: TakeOver) -> TakenOver:
    """A play of a script's episode has no parent: jobs of such a run are confined, also where a play need not be."""
    run_id = start.run_id or ""
    recording = await sources.get_recording(run_id, start.episode)
    rights = await sources.looking.find_rights(run_id)
    nameless = msgspec.structs.replace(recording, run_id="")
    if rights is None:
        return TakenOver(start, nameless, parent_id=run_id)
    if executes_own_code(recording.env_id, recording.env_kwargs):
        return TakenOver(start, nameless)
    await _require_here(sources, recording)
    if not _is_named_by_others(recording):
        return TakenOver(start, nameless)
    _require_confinement(rights, recording)
    return TakenOver(start, recording, is_confined=True)


async def _of_dataset(sources: Sources, start: TakeOver) -> TakenOver:
    assert start.dataset is not None
    choice, recording = await find_dataset_recording(sources, start.dataset, start.episode)
    exact = start.model_copy(update={"dataset": choice})
    if executes_own_code(recording.env_id, recording.env_kwargs) or not _is_named_by_others(recording):
        return TakenOver(exact, recording)
    _require_confinement(await sources.looking.rights(), recording)
    return TakenOver(exact, recording, is_confined=True)


def _is_named_by_others(recording: Recording) -> bool:
    return names_module(recording.env_id) or bool(recording.env_kwargs)


async def _require_here(sources: Sources, recording: Recording) -> None:
    """NotReady where only the script's own Python has the environment: a play runs in the lab's."""
    placed = await sources.place(recording)
    if placed.place is not None:
        raise NotReady(
            f"{recording.env_id} is installed in the Python of its script only, and a play runs in the lab's Python.",
            next_step=f"Install the package that has it for the lab as well: {placed.place.python} has it.",
        )


def _require_confinement(rights: Confinement, recording: Recording) -> None:
    if not rights.landlock:
        raise NotReady(
            f"Others have named the module or the arguments of {recording.env_id}, so it is played in a confined "
            "process only; this machine cannot confine one.",
            next_step="Use Linux 5.13 or newer with Landlock; `rl-lab doctor` shows what this machine can confine.",
        )


def _require_step(start: TakeOver, recording: Recording) -> None:
    last = recording.count if not recording.complete else recording.count - 1
    if start.step > last:
        raise InvalidInput.of_field(
            "start.step",
            f"The episode is over after {recording.count} steps, so it cannot be taken over at {start.step}.",
            {"minimum": 0, "maximum": last},
        )
