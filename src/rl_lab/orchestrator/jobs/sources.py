"""What jobs are made from: trainings, their checkpoints and recordings, and the environments they need."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone, InvalidInput, NotReady
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.recordings import Recording
from rl_lab.core.resuming import Resume
from rl_lab.core.runs import FINAL, Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.reward_files import RewardFiles, reward_of
from rl_lab.orchestrator.jobs.script_programs import find_program
from rl_lab.orchestrator.looking import Looking, is_foreign, is_rewritten, require_confined
from rl_lab.orchestrator.viewing.places import place_recording, require_environment
from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.runners.foreign import refuse_policy
from rl_lab.runners.registry import RUNNERS, spec_of
from rl_lab.store import artifacts, resumes, runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.worker.checkpoint_files import changed

RECORDED_TRIES, RECORDED_S = 5, 0.4
"""How long a checkpoint of a running training may differ from its record."""


class Training(NamedTuple):
    """A training run that jobs may use; its folder is there to be read."""

    run_id: str
    name: str
    config: TrainConfig


class Sources:
    def __init__(
        self,
        context: Context,
        checkpoints: Checkpoints,
        environments: Environments,
    ) -> None:
        self.context = context
        self.home = context.home
        self.settings = context.settings
        self.read = context.db.read
        self._db = context.db
        self._folders = context.folders
        self._checkpoints = checkpoints
        self.environments = environments
        self._catalogue = environments.catalogue
        self._repeatability = environments.repeatability
        self.looking = Looking(context)
        self.rewards = RewardFiles(context)

    async def get_training(self, run_id: str) -> Training:
        run = await self._get_run(run_id)
        if not isinstance(run.config, TrainConfig):
            raise InvalidInput.of_field(
                "run_id", f"“{run.name}” is not a training, so it has no checkpoints."
            )
        return Training(run.id, run.name, run.config)

    async def get_run(self, run_id: str) -> Run:
        """Any run, also an adopted one, whose folder is there to be read."""
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        await self._folders.open(run_id)
        return run

    async def find_reward(self, run_id: str, config: JobConfig) -> dict[str, Any]:
        """The input `reward` of what trains or plays with this configuration; empty for the environment's own."""
        found = await self.rewards.find_input(run_id, reward_of(config))
        return {} if found is None else {"reward": found}

    async def list_resumes(self, run_id: str) -> list[Resume]:
        return await self._db.read(lambda conn: resumes.list_for_run(conn, run_id))

    async def find_last_checkpoint(self, training: Training, step: int) -> Artifact | None:
        """The checkpoint of exactly this step that is whole, if there is one."""
        newest = await self._checkpoints.find_newest_whole(training.run_id)
        return newest if newest is not None and newest.timestep == step else None

    async def get_name(self, run_id: str) -> str:
        return (await self._get_run(run_id)).name

    async def find_policy(
        self, training: Training, checkpoint_id: str | None, label: str = ""
    ) -> dict[str, Any]:
        """A `PolicyInput` for the worker, with the checkpoint named or the best valid one."""
        require_playable(training.config)
        checkpoint = await self.find_checkpoint(training, checkpoint_id)
        return self.make_policy(training, checkpoint, label)

    def make_policy(self, training: Training, checkpoint: Artifact, label: str = "") -> dict[str, Any]:
        policy = PolicyInput(
            checkpoint=RunFolder(self.home, training.run_id).path / checkpoint.path,
            sha256=checkpoint.sha256,
            runner=RUNNERS[training.config.runner],
            config=training.config,
            timestep=checkpoint.timestep,
            role=checkpoint.role,
            label=label or checkpoint.title,
            run_id=training.run_id,
            artifact_id=checkpoint.id,
            program=find_program(RunFolder(self.home, training.run_id).path),
        )
        return policy.model_dump(mode="json")

    async def may_act_unconfined(self, run_id: str) -> bool:
        """Whether its checkpoints hold nothing that others have written, and its environment is no module of theirs."""
        run = await self._get_run(run_id)
        return not is_foreign(run) or is_rewritten(run)

    async def list_whole_checkpoints(self, training: Training) -> list[Artifact]:
        """Those whose files are what was recorded, oldest first."""
        return await self._checkpoints.list_whole(training.run_id)

    async def find_checkpoint(self, training: Training, checkpoint_id: str | None) -> Artifact:
        """The one named, which must belong to the training; else the best valid one."""
        if checkpoint_id is not None:
            return await self._get_checkpoint(training, checkpoint_id)
        best = await self._checkpoints.find_best_whole(training.run_id)
        if best is None:
            raise NotReady(
                "The run has no checkpoint to play with yet.",
                next_step="Let it train until one is saved, or stop it: a stop saves one.",
            )
        return best

    async def get_recording(self, run_id: str, episode: int) -> Recording:
        """A recorded episode that can be played again exactly."""
        await self._get_run(run_id)
        recording = await asyncio.to_thread(read_recording, self.home, run_id, episode)
        require_confined(await self.looking.find_rights(run_id), recording.env_id)
        await self.require_deterministic(recording)
        return recording

    async def place(self, recording: Recording) -> Recording:
        """With the Python that has its environment; NotReady when none has."""
        rights = await self.looking.find_rights(recording.run_id)
        require_confined(rights, recording.env_id)
        placed = await place_recording(recording, self._catalogue, self.home)
        require_confined(rights, placed.env_id, is_remote=placed.place is not None)
        return placed

    async def require_environment(self, env_id: str, run_id: str) -> None:
        """NotReady when the environment of a run cannot be made here, or not safely."""
        require_confined(await self.looking.find_rights(run_id), env_id)
        require_environment(env_id, await self._catalogue.environment(env_id))

    async def require_deterministic(self, recording: Recording) -> None:
        """NotReady when playing the recorded actions again would lead somewhere else.

        Recordings that carry rewards come from an environment that was not known to be deterministic.
        """
        if not recording.rewards:
            return
        entry = await self._catalogue.environment(recording.env_id)
        if recording.run_id:
            rights = await self.looking.find_rights(recording.run_id)
        else:
            rights = await self.looking.module_rights(recording.env_id, recording.env_kwargs)
        if not await self._repeatability.expect(entry, recording.env_kwargs, rights):
            raise NotReady(
                f"{recording.env_id} is not deterministic, so the recording cannot be replayed.",
                next_step="Evaluate a checkpoint: that plays and films new episodes.",
            )

    async def _get_run(self, run_id: str) -> Run:
        """A run of the lab's own whose folder is there to be read."""
        require_own(await self._db.read(lambda conn: runs.get(conn, run_id)))
        return await self.get_run(run_id)

    async def _get_checkpoint(self, training: Training, checkpoint_id: str) -> Artifact:
        found = await self._db.read(lambda conn: artifacts.get(conn, checkpoint_id))
        if found.run_id != training.run_id or found.kind != "checkpoint":
            raise InvalidInput.of_field("checkpoint", "This is not a checkpoint of that run.")
        if not (RunFolder(self.home, training.run_id).path / found.path).is_file():
            raise Gone(
                f"The file of the checkpoint {found.title or found.path} does not exist any more.",
                next_step="Choose another checkpoint of the run.",
            )
        return await self._require_whole(training, found)

    async def _require_whole(self, training: Training, checkpoint: Artifact) -> Artifact:
        """Gone when the file is not the one that was recorded.

        A training that goes on replaces its best checkpoint, and the lab records it a moment later.
        """
        checkpoint_id = checkpoint.id
        for _ in range(RECORDED_TRIES):
            if await asyncio.to_thread(self._checkpoints.is_whole, checkpoint):
                return checkpoint
            run = await self._db.read(lambda conn: runs.get(conn, training.run_id))
            if run.status in FINAL:
                break
            await asyncio.sleep(RECORDED_S)
            checkpoint = await self._db.read(lambda conn: artifacts.get(conn, checkpoint_id))
        raise changed(checkpoint.path)


def require_playable(config: TrainConfig) -> None:
    """NotReady for checkpoints that only the program that wrote them can use."""
    spec = spec_of(config)
    if spec is not None and not (spec.capabilities.evaluate or spec.capabilities.own_classes):
        raise refuse_policy(spec.worker_word)


def require_own(run: Run) -> None:
    """NotReady for a run that another tool made: the lab cannot load its models."""
    if run.source is not None:
        raise NotReady(
            f"The run “{run.name}” was adopted from {run.source.folder}; the lab cannot play or export its model.",
            next_step="Use the tool that made it, or train the same in the lab.",
        )


def require_same_environment(wanted: str, given: str) -> None:
    if given != wanted:
        raise InvalidInput.of_field(
            "checkpoint", f"The checkpoint was trained on {given}, and this plays {wanted}.", wanted
        )
