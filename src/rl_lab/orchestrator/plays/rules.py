"""How a play is checked and prepared before it starts."""

from __future__ import annotations

import secrets
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.play import PlayConfig, PlayResult, TakeOver
from rl_lab.core.own_environments import executes_own_code
from rl_lab.core.words.amounts import plural
from rl_lab.core.wrappers import read_wrappers
from rl_lab.orchestrator.jobs.live_policies import find_actor
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, Training
from rl_lab.orchestrator.plays.starts import TakenOver, find_taken_over
from rl_lab.orchestrator.runs.own_code import find_versions
from rl_lab.store.plays import controls as chosen_controls


async def prepare(sources: Sources, config: PlayConfig) -> PreparedJob:
    taken = await find_taken_over(sources, config.start) if config.start is not None else None
    recording = taken.recording if taken is not None else None
    actor = await sources.get_training(config.policy_run_id) if config.policy_run_id is not None else None
    config = await _complete(sources, config, taken, actor)
    env_id, kwargs = config.env_id or "", config.env_kwargs
    is_confined = executes_own_code(env_id, kwargs) or (taken is not None and taken.is_confined)
    policy = None
    if actor is not None:
        policy = await find_actor(sources, actor, config.checkpoint, env_id, kwargs, is_confined=is_confined)
    return PreparedJob(
        name=_name(config),
        parent_id=taken.parent_id if taken is not None else None,
        started=_started(config.start),
        env_id=env_id,
        env_kwargs=kwargs,
        inputs={**({"policy": policy} if policy else {}), **_patience(sources)},
        config=config,
        is_foreign=is_confined,
        # A script's policy needs what its run was allowed to read; a play that is not confined stays so.
        looks_at=[actor.run_id] if is_confined and actor is not None else [],
        recordings=[recording] if recording is not None else [],
    )


async def _complete(
    sources: Sources, config: PlayConfig, taken: TakenOver | None, actor: Training | None
) -> PlayConfig:
    """With the environment, the seed, the keys and the version of a dataset that were not given."""
    env_id, kwargs = config.env_id, dict(config.env_kwargs)
    recording, start = (taken.recording, taken.start) if taken is not None else (None, None)
    if recording is not None:
        _require_same(config.env_id, recording.env_id)
        env_id, kwargs = recording.env_id, dict(recording.env_kwargs)
    elif actor is not None and env_id in (None, actor.config.env_id) and not kwargs:
        env_id, kwargs = actor.config.env_id, dict(actor.config.env_kwargs)
    else:
        env_id, kwargs = await _with_versions(sources, env_id or "", kwargs)
    if not env_id:
        raise InvalidInput.of_field(
            "env_id", "Name an environment, a run whose policy acts, or an episode to take over."
        )
    environment = await sources.environments.get(env_id)
    seed = secrets.randbelow(10_000) if config.seed is None else config.seed
    if recording is not None:
        seed = recording.seed if recording.seed is not None else seed
    controls = config.controls
    if controls is None:
        controls = await sources.read(lambda conn: chosen_controls.find(conn, environment.id))
    changes = {"env_id": environment.id, "env_kwargs": kwargs, "seed": seed}
    return config.model_copy(update={**changes, "controls": controls, "start": start})


async def _with_versions(sources: Sources, env_id: str, kwargs: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The environment as the user named it, with exact versions of their code; InvalidInput for a wrong wrapper."""
    read_wrappers(kwargs)
    exact = await sources.read(lambda conn: find_versions(conn, env_id, kwargs))
    return exact.get("env_id", env_id), exact.get("env_kwargs", kwargs)


def _require_same(asked: str | None, recorded: str) -> None:
    if asked not in (None, recorded):
        raise InvalidInput.of_field(
            "env_id", f"The episode was recorded in {recorded}; leave the environment out.", recorded
        )


def _patience(sources: Sources) -> dict[str, Any]:
    settings = sources.settings
    return {"pause_s": settings.play_pause_s, "end_s": settings.play_end_s}


def _name(config: PlayConfig) -> str:
    if config.name:
        return config.name
    where = config.env_id or ""
    if config.start is not None:
        return f"Play of {where} · from {_moment(config.start)}"
    return f"Play of {where} · seed {config.seed}"


def _started(start: TakeOver | None) -> str:
    return f"Taken over at {_moment(start)}." if start else "Play started."


def _moment(start: TakeOver) -> str:
    source = f" of {start.dataset}" if start.dataset is not None else ""
    return f"step {start.step:,} of episode {start.episode:,}{source}"


def describe_result(result: PlayResult) -> str:
    best = "" if result.best_return is None else f", best return {result.best_return:.1f}"
    return f"Play complete: {plural(result.episodes, 'episode')}{best}."


RULES = JobRules(prepare, describe_result)
