"""Films: a training shown through its checkpoints, or through episodes that were recorded in it."""

from __future__ import annotations

import asyncio
from typing import Any

from rl_lab.core.errors import NotReady
from rl_lab.core.evaluations import FilmResult
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import job_name
from rl_lab.orchestrator.jobs.film_scenes import choose_scenes, read_curve, spread_checkpoints
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, Training, require_playable


async def prepare(sources: Sources, config: FilmConfig) -> PreparedJob:
    training = await sources.get_training(config.run_id)
    run = await sources.get_run(config.run_id)
    curve = await asyncio.to_thread(read_curve, sources.home, config.run_id)
    best = run.summary.best_mean_reward
    about: dict[str, Any] = {
        "curve": curve,
        "name": training.name,
        "timesteps": run.progress.timestep,
        "seconds": run.progress.elapsed_s,
        "best_mean": best,
    }
    policies = [] if config.show == "episodes" else await _find_policies(sources, training, config)
    if policies:
        await sources.require_environment(training.config.env_id, training.run_id)
        return _job(training, config, {**about, "policies": policies})
    scenes = await asyncio.to_thread(choose_scenes, sources.home, config.run_id, config.scenes)
    await sources.require_environment(scenes[0].env_id, config.run_id)
    await sources.require_deterministic(scenes[0])
    return _job(training, config, about, recordings=scenes)


async def _find_policies(sources: Sources, training: Training, config: FilmConfig) -> list[dict[str, Any]]:
    """The checkpoints to show; none where recorded episodes are shown instead."""
    try:
        require_playable(training.config)
        found = await sources.list_whole_checkpoints(training)
        if not found:
            raise NotReady(
                "The run has no checkpoint that could play.",
                next_step="Let it train until one is saved, or show recorded episodes.",
            )
    except NotReady:
        if config.show == "checkpoints":
            raise
        return []
    return [sources.make_policy(training, one) for one in spread_checkpoints(found, config.scenes)]


def _job(training: Training, config: FilmConfig, inputs: dict[str, Any], **more: Any) -> PreparedJob:
    return PreparedJob(
        name=job_name("Film", [training.name]),
        parent_id=config.run_id,
        started="Film started.",
        env_id=training.config.env_id,
        env_kwargs=training.config.env_kwargs,
        inputs={**inputs, "config": training.config.model_dump(mode="json")},
        **more,
    )


def describe_result(result: FilmResult) -> str:
    return f"Film complete: {plural(len(result.scenes), 'scene')}."


RULES = JobRules(prepare, describe_result)
