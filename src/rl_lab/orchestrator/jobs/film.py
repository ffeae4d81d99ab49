"""Films: a training shown through its checkpoints or its recorded episodes, and a play through its episodes."""

from __future__ import annotations

import asyncio
from typing import Any

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.evaluations import FilmResult
from rl_lab.core.jobs.play import PlayConfig, TakeOver
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.core.runs import Run
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import job_name
from rl_lab.orchestrator.jobs.film_scenes import choose_scenes, read_curve, spread_checkpoints
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, Training, require_playable


async def prepare(sources: Sources, config: FilmConfig) -> PreparedJob:
    run = await sources.get_run(config.run_id)
    if isinstance(run.config, PlayConfig):
        return await _prepare_play(sources, run, run.config.start, config)
    training = await sources.get_training(config.run_id)
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


async def _prepare_play(
    sources: Sources, run: Run, start: TakeOver | None, config: FilmConfig
) -> PreparedJob:
    _require_recorded_only(run, config)
    scenes = await asyncio.to_thread(choose_scenes, sources.home, run.id, config.scenes, of_play=True)
    first = scenes[0]
    await sources.require_environment(first.env_id, run.id)
    await sources.require_deterministic(first)
    return PreparedJob(
        name=job_name("Film", [run.name]),
        parent_id=run.id,
        started="Film started.",
        env_id=first.env_id,
        env_kwargs=first.env_kwargs,
        inputs={
            "name": run.name,
            "episodes": run.progress.episodes,
            "timesteps": run.progress.timestep,
            "start": start.model_dump() if start is not None else None,
        },
        recordings=scenes,
    )


def _require_recorded_only(run: Run, config: FilmConfig) -> None:
    """InvalidInput for options of checkpoints that play: a film of a play shows what was recorded."""
    if config.show == "checkpoints":
        raise InvalidInput.of_field(
            "show", f"“{run.name}” is a play, so it has no checkpoints; leave this out.", "episodes"
        )
    if config.seed is not None:
        raise InvalidInput.of_field(
            "seed", f"“{run.name}” is a play; its episodes have their own seeds. Leave this out."
        )
    if not config.deterministic:
        raise InvalidInput.of_field(
            "deterministic", f"“{run.name}” is a play; its recorded actions are shown. Leave this out."
        )


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
