"""ResumePoints: the checkpoint that a run continues from, checked for everything that would make the resume differ."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import InexactResume, InvalidInput, NotReady, RewindNeeded
from rl_lab.core.job_file import KeptCheckpoint
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.package_changes import changed_packages
from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.runs import Run
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.housekeeping.pruning import forget
from rl_lab.portable.machine import find_version
from rl_lab.runners.registry import load_runner
from rl_lab.store import artifacts, resume_choices
from rl_lab.store.attempts import Attempt
from rl_lab.store.files.snapshot_files import find_snapshot
from rl_lab.store.models import names
from rl_lab.store.telemetry import TelemetryReader


class ResumePoints:
    def __init__(self, context: Context, checkpoints: Checkpoints) -> None:
        self._db = context.db
        self._folders = context.folders
        self._checkpoints = checkpoints

    async def require(self, run: Run, choice: ResumeChoice) -> None:
        """NotReady when a resume could only fail, would drop steps, or would differ, and the user has not agreed."""
        if run.attempt == 0 or not isinstance(run.config, TrainConfig):
            return
        require_resuming(run.config)
        chosen = await self._choose(run, choice)
        if not choice.rewind:
            await self._refuse_dropping(run, chosen, choice)
        differences = await self.find_differences(run, chosen)
        if differences and not choice.inexact:
            name = await self.name_of(chosen) if choice.checkpoint else None
            command = resume_command(run.id, name, choice.model_copy(update={"inexact": True}))
            raise InexactResume(
                f"The run cannot be resumed exactly: {'; '.join(differences)}.",
                next_step=f"Allow it with `{command}` (on the page: Resume anyway); "
                f"what follows then differs from a run that was not stopped.{await self._exact_instead(run, chosen)}",
            )

    async def _exact_instead(self, run: Run, chosen: Artifact) -> str:
        """The newest older checkpoint that can be resumed exactly, with the command; empty if there is none."""
        if await asyncio.to_thread(self._changed_packages, run.id):
            return ""
        for one in reversed(await self._checkpoints.list_whole(run.id)):
            is_older = one.role != "best" and (one.timestep or 0) < (chosen.timestep or 0)
            if is_older and not await asyncio.to_thread(self._find_damage, one):
                command = resume_command(run.id, await self.name_of(one), ResumeChoice(rewind=True))
                return f" The one at step {one.timestep or 0:,} can be resumed exactly: `{command}`."
        return ""

    async def find(self, run: Run) -> Artifact | None:
        """The checkpoint for the next attempt; None for a job that starts over."""
        if run.attempt == 0 or not isinstance(run.config, TrainConfig):
            return None
        require_resuming(run.config)
        choice = await self._db.read(lambda conn: resume_choices.find(conn, run.id))
        return await self._choose(run, choice)

    async def find_differences(self, run: Run, checkpoint: Artifact) -> list[str]:
        """What makes a resume from this checkpoint differ from not having stopped, as far as it is known before."""
        changed = await asyncio.to_thread(self._changed_packages, run.id)
        versions = [f"other versions than when it was saved ({', '.join(changed)})"] if changed else []
        return [*await asyncio.to_thread(self._find_damage, checkpoint), *versions]

    def _find_damage(self, checkpoint: Artifact) -> list[str]:
        """What the checkpoint itself does not have. Blocks."""
        lacks = str(checkpoint.data.get("lacks") or "")
        damaged = self._damaged_parts(checkpoint)[:1]
        return [
            *([lacks] if lacks else []),
            *(f"{path} of its replay buffer is missing or damaged" for path in damaged),
        ]

    async def list_kept(self, run_id: str, step: int) -> list[KeptCheckpoint]:
        """The checkpoints that a resume from this step leaves, with less training first."""
        found = await self._db.read(lambda conn: artifacts.list_of_kinds(conn, run_id, ["checkpoint"]))
        kept = [
            KeptCheckpoint(
                path=one.path,
                timestep=one.timestep or 0,
                sha256=one.sha256,
                score=one.score,
                score_episodes=one.score_episodes,
                parts=one.data.get("parts") or [],
                lacks=one.data.get("lacks") or "",
            )
            for one in found
            if one.role != "best" and (one.timestep or 0) <= step
        ]
        return sorted(kept, key=lambda one: one.timestep)

    async def _choose(self, run: Run, choice: ResumeChoice) -> Artifact:
        """The checkpoint that the user named, or the newest one; it must be whole."""
        listed = await self._db.read(lambda conn: artifacts.list_of_kinds(conn, run.id, ["checkpoint"]))
        if choice.checkpoint is None:
            wanted = max(listed, key=lambda a: (a.timestep or 0, a.created_at), default=None)
        else:
            wanted = next((a for a in listed if a.id == choice.checkpoint), None)
            if wanted is None:
                raise InvalidInput.of_field(
                    "checkpoint", "The run has no such checkpoint.", [a.id for a in listed[:20]]
                )
        if wanted is not None and await asyncio.to_thread(self._checkpoints.is_whole, wanted):
            return wanted
        newest = await self._checkpoints.find_newest_whole(run.id)
        if newest is None or wanted is None:
            problem = "Not one of its checkpoints is whole" if listed else "No checkpoint was saved"
            raise NotReady(
                f"{problem}, so there is nothing to resume from.",
                next_step="Start a new run with the same settings.",
            )
        if choice.checkpoint is None and newest.timestep == wanted.timestep:
            return newest  # two of one step: the best one is a copy
        whole = newest.timestep or 0
        drops = whole < max(a.timestep or 0 for a in listed)
        command = resume_command(
            run.id, await self.name_of(newest), choice.model_copy(update={"rewind": drops})
        )
        raise NotReady(
            f"The checkpoint at step {wanted.timestep or 0:,} is missing, torn or altered, so it is not loaded.",
            next_step=f"The newest whole one is that at step {whole:,}: `{command}`.",
        )

    async def name_of(self, checkpoint: Artifact) -> str:
        """How a command names it: by its step, or by its id where another one has the same."""
        listed = await self._db.read(
            lambda conn: artifacts.list_of_kinds(conn, checkpoint.run_id, ["checkpoint"])
        )
        if checkpoint.role == "best":
            return "best"
        same = [a for a in listed if a.timestep == checkpoint.timestep and a.role != "best"]
        return str(checkpoint.timestep or 0) if len(same) == 1 else checkpoint.id

    async def _refuse_dropping(self, run: Run, chosen: Artifact, choice: ResumeChoice) -> None:
        later = await self._db.read(lambda conn: artifacts.find_checkpoint(conn, run.id))
        step = chosen.timestep or 0
        if later is None or (later.timestep or 0) <= step:
            return
        episodes = run.progress.episodes - await asyncio.to_thread(self.episodes_until, run.id, step)
        steps = plural(max(0, run.progress.timestep - step), "step")
        command = resume_command(
            run.id, await self.name_of(chosen), choice.model_copy(update={"rewind": True})
        )
        raise RewindNeeded(
            f"A newer checkpoint exists: resuming from step {step:,} drops {steps} and {plural(episodes, 'episode')}, "
            "which are trained again.",
            next_step=f"Agree with `{command}`, or resume from the newest checkpoint.",
        )

    def episodes_until(self, run_id: str, step: int) -> int:
        """How many episodes had ended when the run had this many steps. Blocks."""
        path = self._folders.find(run_id).telemetry
        if not path.exists():
            return 0
        with TelemetryReader(path, run_id) as telemetry:
            return telemetry.episodes_until(step)

    def _damaged_parts(self, checkpoint: Artifact) -> list[str]:
        parts = checkpoint.data.get("parts") or []
        return [
            part["path"]
            for part in parts
            if not self._checkpoints.has_hash(checkpoint.run_id, part["path"], part["sha256"])
        ]

    def _changed_packages(self, run_id: str) -> Sequence[str]:
        recorded = find_snapshot(self._folders.find(run_id))
        return changed_packages(recorded, find_version) if recorded else []


def forget_later(conn: Connection, attempt: Attempt) -> None:
    """Removes the checkpoints of steps that a resume drops, except those that are pinned or have a name."""
    if attempt.resume_from is None:
        return
    run_id, step = attempt.run_id, attempt.timestep0
    named = names.named_checkpoints(conn, run_id)
    found = artifacts.list_of_kinds(conn, run_id, ["checkpoint"])
    later = [a for a in found if (a.timestep or 0) > step and not a.pinned and a.id not in named]
    if later:
        forget(conn, run_id, later, f" (the run resumes from step {step:,})", which="later")


def resume_command(run_id: str, checkpoint: str | None, choice: ResumeChoice) -> str:
    """The command line for a choice; `checkpoint` is what follows the @, if the user has named one."""
    place = f"{run_id}@{checkpoint}" if checkpoint else run_id
    agreed = [f"--{name}" for name in ("rewind", "inexact") if getattr(choice, name)]
    return " ".join(["rl-lab resume", place, *agreed])


def require_resuming(config: TrainConfig) -> None:
    runner = load_runner(config.runner)
    if not runner.spec.capabilities.resume:
        raise NotReady(
            f"{runner.spec.name} cannot resume from a checkpoint.",
            next_step="Start a new run with the same settings.",
        )
