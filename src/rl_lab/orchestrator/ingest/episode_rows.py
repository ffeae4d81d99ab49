"""A finished episode as a row of telemetry.db and as a line of metrics.jsonl. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rl_lab.core.plays.players import WHO, halves, player_of
from rl_lab.core.protocol.events import EpisodeEvent, StepsEvent, Trace
from rl_lab.core.script_environments import FIRST_EVALUATION
from rl_lab.orchestrator.ingest.run_state import MAX_T
from rl_lab.store.files.metric_lines import episode_line
from rl_lab.store.telemetry.batch import NewEpisode


def new_episode(event: EpisodeEvent, reward: float | None, t: float) -> NewEpisode:
    """Of an event whose number is set."""
    return NewEpisode(
        event.episode or 0,
        at=event.t_end if event.t_end is not None and 0 <= event.t_end < MAX_T else t,
        env=event.env,
        seed=event.seed,
        reward=reward,
        length=event.steps,
        terminated=event.terminated,
        truncated=event.truncated,
        success=event.success,
        timestep=event.timestep,
        extra=event.extra or None,
        env_group=event.env_group,
        group_step=event.group_step,
    )


def cut_off_episode(event: StepsEvent) -> EpisodeEvent:
    """An episode of a play whose worker was killed, as the worker would have ended it."""
    trace = event.trace or Trace()
    steps = [chosen > 0 for chosen in halves(trace.extra.get(WHO, b""))]
    return EpisodeEvent(
        env=event.env,
        seed=event.seed,
        generator=event.generator,
        steps=trace.count,
        return_=event.returned,
        terminated=False,
        truncated=True,
        trace=trace,
        extra={"player": player_of(steps), "cut_off": True},
    )


def is_comparable(extra: Mapping[str, Any] | None) -> bool:
    """Whether its return says how well it was played: it was neither cut off nor taken over from another episode."""
    return not extra or not (extra.get("cut_off") or extra.get("taken_over_at"))


def metrics_line(event: EpisodeEvent, reward: float | None, t: float, step: int) -> bytes:
    number = event.episode or 0
    is_training = number < FIRST_EVALUATION
    return episode_line(
        t=t,
        episode=number if is_training else number - FIRST_EVALUATION,
        timestep=step,
        reward=reward,
        length=event.steps,
        terminated=event.terminated,
        truncated=event.truncated,
        type="episode" if is_training else "evaluation",
        environment=event.env_group,
    )
