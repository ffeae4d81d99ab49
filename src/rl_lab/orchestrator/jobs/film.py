"""Films: a training shown through its milestone episodes."""

from __future__ import annotations

import asyncio

from rl_lab.core.evaluations import FilmResult
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import job_name
from rl_lab.orchestrator.jobs.film_scenes import choose_scenes, read_curve
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources


async def prepare(sources: Sources, config: FilmConfig) -> PreparedJob:
    training = await sources.get_training(config.run_id)
    scenes = await asyncio.to_thread(choose_scenes, sources.home, config.run_id, config.scenes)
    await sources.require_environment(scenes[0].env_id, config.run_id)
    await sources.require_deterministic(scenes[0])
    curve = await asyncio.to_thread(read_curve, sources.home, config.run_id)
    return PreparedJob(
        name=job_name("Film", [training.name]),
        parent_id=config.run_id,
        started="Film started.",
        env_id=training.config.env_id,
        env_kwargs=training.config.env_kwargs,
        inputs={"curve": curve, "total_timesteps": max(s.timestep or 0 for s in scenes)},
        recordings=scenes,
    )


def describe_result(result: FilmResult) -> str:
    return f"Film complete: {plural(len(result.scenes), 'scene')}."


RULES = JobRules(prepare, describe_result)
