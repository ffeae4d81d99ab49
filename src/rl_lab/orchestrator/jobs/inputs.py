"""What a worker needs beyond its config: for a training nothing, for other kinds what their sources left behind."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.episodes import Recording
from rl_lab.core.errors import Gone, InvalidInput, NotReady
from rl_lab.core.jobs import DuelConfig, EvaluateConfig, FilmConfig, ForkConfig, JobConfig, TrainConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.environments.repeatability import Repeatability
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.launcher import Inputs
from rl_lab.orchestrator.housekeeping.archives import OpenFolder
from rl_lab.orchestrator.jobs.film_scenes import choose_scenes, read_curve
from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.orchestrator.viewing.service import require_environment
from rl_lab.runners.foreign import refuse_policy
from rl_lab.runners.registry import RUNNERS, spec_of
from rl_lab.store import artifacts, runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql.database import Database

RECORDINGS_FILE = "recordings.msgpack"


class JobInputs:
    def __init__(
        self,
        home: Path,
        db: Database,
        checkpoints: Checkpoints,
        catalogue: Catalogue,
        open_folder: OpenFolder,
    ) -> None:
        self._home = home
        self._db = db
        self._catalogue = catalogue
        self._checkpoints = checkpoints
        self._open_folder = open_folder

    async def of(self, run: Run) -> Inputs:
        """The environment and the inputs of a run's job, by kind."""
        config: JobConfig = run.config
        match config:
            case TrainConfig():
                return Inputs(config.env_id, {}, config.env_kwargs)
            case EvaluateConfig():
                source = await self.source(config.run_id)
                policy = await self.policy(config.run_id, config.checkpoint)
                return Inputs(source.env_id, {"policy": policy}, source.env_kwargs)
            case ForkConfig():
                return await self._of_fork(run.id, config)
            case DuelConfig():
                return await self._of_duel(config)
            case FilmConfig():
                return await self._of_film(run.id, config)

    async def check(self, config: JobConfig) -> None:
        """Raises what would make a job of this config fail at its start."""
        match config:
            case EvaluateConfig():
                require_playable(await self.source(config.run_id))
                await self.checkpoint(config.run_id, config.checkpoint)
                await self.require_environment((await self.source(config.run_id)).env_id)
            case ForkConfig():
                recording = await self._recording(config)
                await self.require_environment(recording.env_id)
                if config.policy == "checkpoint":
                    other = config.checkpoint_run_id or config.run_id
                    require_playable(await self.source(other))
                    await self.checkpoint(other, config.checkpoint)
                    require_same_environment(recording.env_id, (await self.source(other)).env_id)
            case DuelConfig():
                await self.require_environment((await self._of_duel(config)).env_id or "")
            case FilmConfig():
                await self._run(config.run_id)
                [scene] = await asyncio.to_thread(choose_scenes, self._home, config.run_id, 1)
                await self.require_environment(scene.env_id)
                await self._require_repeatable(scene)

    async def require_environment(self, env_id: str) -> None:
        """NotReady when the environment cannot be made here any more."""
        require_environment(env_id, await self._catalogue.environment(env_id))

    async def _recording(self, config: ForkConfig) -> Recording:
        await self._run(config.run_id)
        recording = await asyncio.to_thread(read_recording, self._home, config.run_id, config.episode)
        await self._require_repeatable(recording)
        last = recording.count - 1 if recording.complete else recording.count
        if config.step > last:
            raise InvalidInput.of_field(
                "step",
                f"The episode is over after {recording.count} steps, so it cannot be forked at {config.step}.",
                {"minimum": 0, "maximum": last},
            )
        return recording

    async def policy(self, run_id: str, checkpoint_id: str | None, label: str = "") -> dict[str, Any]:
        """A `worker.policies.PolicyInput`: the checkpoint named, or the newest whole one."""
        source = await self.source(run_id)
        require_playable(source)
        checkpoint = await self.checkpoint(run_id, checkpoint_id)
        return {
            "checkpoint": str(RunFolder(self._home, run_id).path / checkpoint.path),
            "runner": RUNNERS[source.runner],
            "config": source.model_dump(mode="json"),
            "timestep": checkpoint.timestep,
            "label": label or checkpoint.title,
            "run_id": run_id,
        }

    async def checkpoint(self, run_id: str, checkpoint_id: str | None) -> Artifact:
        """The one named, which must be this run's; else the newest whole one."""
        await self._run(run_id)
        if checkpoint_id is not None:
            found = await self._db.read(lambda conn: artifacts.get(conn, checkpoint_id))
            if found.run_id != run_id or found.kind != "checkpoint":
                raise InvalidInput.of_field("checkpoint", "This is not a checkpoint of that run.")
            if not (RunFolder(self._home, run_id).path / found.path).is_file():
                raise Gone(
                    f"The file of the checkpoint {found.title or found.path} is not there any more.",
                    next_step="Choose another checkpoint of the run.",
                )
            return found
        newest = await self._checkpoints.find_newest_whole(run_id)
        if newest is None:
            raise NotReady(
                "The run has no checkpoint to play with yet.",
                next_step="Let it train until one is saved, or stop it: a stop saves one.",
            )
        return newest

    async def source(self, run_id: str) -> TrainConfig:
        run = await self._run(run_id)
        if not isinstance(run.config, TrainConfig):
            raise InvalidInput.of_field(
                "run_id", f"“{run.name}” is not a training, so it has no checkpoints."
            )
        return run.config

    async def _run(self, run_id: str) -> Run:
        """A run of the lab's own whose folder is there to be read."""
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        require_own(run)
        await self._open_folder(run_id)
        return run

    async def _of_fork(self, fork_id: str, config: ForkConfig) -> Inputs:
        recording = await self._recording(config)
        policy_run = config.checkpoint_run_id or config.run_id
        inputs: dict[str, Any] = {"recordings": await self._write(fork_id, [recording])}
        if config.policy == "checkpoint":
            inputs["policy"] = await self.policy(policy_run, config.checkpoint)
            inputs["config"] = inputs["policy"]["config"]
        else:
            inputs["config"] = TrainConfig(
                runner="none", algorithm="random", env_id=recording.env_id, env_kwargs=recording.env_kwargs
            ).model_dump(mode="json")
        require_same_environment(recording.env_id, inputs["config"]["env_id"])
        return Inputs(recording.env_id, inputs, recording.env_kwargs)

    async def _of_duel(self, config: DuelConfig) -> Inputs:
        policies = []
        for contestant in config.contestants:
            run = await self._run(contestant.run_id)
            policies.append(await self.policy(run.id, contestant.checkpoint, run.name))
        env_id = policies[0]["config"]["env_id"]
        for policy in policies[1:]:
            require_same_environment(env_id, policy["config"]["env_id"])
        return Inputs(env_id, {"policies": distinct_labels(policies)}, policies[0]["config"]["env_kwargs"])

    async def _of_film(self, film_id: str, config: FilmConfig) -> Inputs:
        source = await self.source(config.run_id)
        scenes = await asyncio.to_thread(choose_scenes, self._home, config.run_id, config.scenes)
        curve = await asyncio.to_thread(read_curve, self._home, config.run_id)
        return Inputs(
            source.env_id,
            {
                "recordings": await self._write(film_id, scenes),
                "curve": curve,
                "total_timesteps": max(s.timestep or 0 for s in scenes),
            },
            source.env_kwargs,
        )

    async def _require_repeatable(self, recording: Recording) -> None:
        """Recordings that carry their rewards come from an environment nobody vouched for when it was played."""
        if not recording.rewards:
            return
        entry = await self._catalogue.environment(recording.env_id)
        if not await Repeatability(self._home).expect(entry, recording.env_kwargs):
            raise NotReady(
                f"{recording.env_id} does not repeat itself, so what was recorded cannot be gone back to.",
                next_step="Evaluate a checkpoint: that plays and films new episodes.",
            )

    async def _write(self, run_id: str, recordings: list[Recording]) -> str:
        folder = RunFolder(self._home, run_id)
        data = msgspec.msgpack.encode(recordings)
        await asyncio.to_thread(folder.write_atomic, RECORDINGS_FILE, data)
        return str(folder.path / RECORDINGS_FILE)


def require_playable(config: TrainConfig) -> None:
    """NotReady for checkpoints that only the program that wrote them can use."""
    spec = spec_of(config)
    if spec is not None and not spec.capabilities.evaluate:
        raise refuse_policy(spec.worker_word)


def require_own(run: Run) -> None:
    """NotReady for a run that another tool made: its models and episodes are that tool's."""
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


def distinct_labels(policies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two checkpoints of one run, or two runs of one name, are told apart by their step, else by number."""
    labels = [p["label"] for p in policies]
    if len(set(labels)) < len(labels):
        labels = [f"{p['label']} @ {p['timestep'] or 0:,}" for p in policies]
    if len(set(labels)) < len(labels):
        labels = [f"{number + 1}: {label}" for number, label in enumerate(labels)]
    return [{**p, "label": label} for p, label in zip(policies, labels, strict=True)]
