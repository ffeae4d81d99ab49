"""Forks: a recorded episode continued from one of its steps by another policy."""

from __future__ import annotations

from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.evaluations import ForkResult
from rl_lab.core.jobs.policy_jobs import ForkConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import WRAPPERS
from rl_lab.core.recordings import Recording
from rl_lab.core.words.run_names import describe_wrappers, job_name
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, Training, require_same_environment


async def prepare(sources: Sources, config: ForkConfig) -> PreparedJob:
    recording = await sources.get_recording(config.run_id, config.episode)
    _require_step(recording, config.step)
    await sources.require_environment(recording.env_id, config.run_id)
    place = f"episode {config.episode} at step {config.step}"
    return PreparedJob(
        name=job_name(f"Fork of {place}", [await sources.get_name(config.run_id)]),
        parent_id=config.run_id,
        started=f"Fork of {place} started.",
        env_id=recording.env_id,
        env_kwargs=recording.env_kwargs,
        inputs=await _find_player(sources, config, recording),
        recordings=[recording],
        looks_at=[] if config.checkpoint_run_id is None else [config.checkpoint_run_id],
    )


async def _find_player(sources: Sources, config: ForkConfig, recording: Recording) -> dict[str, Any]:
    if config.policy == "random":
        played = TrainConfig(
            runner="none", algorithm="random", env_id=recording.env_id, env_kwargs=recording.env_kwargs
        )
        return {"config": played.model_dump(mode="json")}
    training = await sources.get_training(config.checkpoint_run_id or config.run_id)
    policy = await sources.find_policy(training, config.checkpoint)
    require_same_environment(recording.env_id, training.config.env_id)
    _require_same_wrappers(training, recording)
    # The moment exists in the environment of the episode, whatever the policy was trained with.
    return {"policy": policy, "config": {**policy["config"], "env_kwargs": recording.env_kwargs}}


def _require_same_wrappers(training: Training, recording: Recording) -> None:
    """What a policy sees, and what its actions do, depends on them."""
    there, here = (
        kwargs.get(WRAPPERS) or [] for kwargs in (training.config.env_kwargs, recording.env_kwargs)
    )
    if there != here:
        has = "the episode has none" if not here else f"the episode has {describe_wrappers(here)}"
        raise InvalidInput.of_field(
            "checkpoint",
            f"“{training.name}” was trained with other wrappers ({describe_wrappers(there) or 'none'}); {has}. "
            "Choose a checkpoint that was trained with the same ones.",
        )


def _require_step(recording: Recording, step: int) -> None:
    last = recording.count - 1 if recording.complete else recording.count
    if step > last:
        raise InvalidInput.of_field(
            "step",
            f"The episode is over after {recording.count} steps, so it cannot be forked at {step}.",
            {"minimum": 0, "maximum": last},
        )


def describe_result(result: ForkResult) -> str:
    return f"Fork complete: return {result.returned:.1f} after {result.length} steps."


RULES = JobRules(prepare, describe_result)
