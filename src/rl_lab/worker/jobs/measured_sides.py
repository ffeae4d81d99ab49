"""Whose episodes an evaluation measures: those of a checkpoint, or the recorded ones of a play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rl_lab.core.evaluations import PlayedSteps
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.plays.players import player_of
from rl_lab.core.recordings import Recording
from rl_lab.portable.evaluation_seeds import derived_seeds
from rl_lab.worker.jobs.forks import read_recordings
from rl_lab.worker.jobs.played_again import PlayedAgain
from rl_lab.worker.policies import load_policy
from rl_lab.worker.rendering.simulation import who_acted
from rl_lab.worker.runner import Policy
from rl_lab.worker.session import Session


@dataclass(frozen=True)
class MeasuredSide:
    environment: TrainConfig
    """Its environment is played."""
    policy: Policy
    seeds: Sequence[int]
    """One for each episode."""
    begin: Callable[[int], None] = lambda number: None
    """Before the episode of this number."""
    end: Callable[[float], None] = lambda returned: None
    """After it, with its return."""
    about: Callable[[int], Mapping[str, Any]] = field(default=lambda episodes: {})
    """Fields of the summary of so many episodes."""


def load_measured(session: Session) -> MeasuredSide:
    config = session.config
    assert isinstance(config, EvaluateConfig)
    if config.recorded is None:
        return _checkpoint(config, PolicyInput.model_validate(session.job.inputs["policy"]))
    return _play(session, read_recordings(Path(session.job.inputs["recordings"])))


def _checkpoint(config: EvaluateConfig, given: PolicyInput) -> MeasuredSide:
    about = {
        "checkpoint": given.checkpoint.name,
        "checkpoint_sha256": given.sha256,
        "checkpoint_timestep": given.timestep,
        "checkpoint_role": given.role,
        "checkpoint_best_by": given.config.best_by if given.role == "best" else None,
    }
    seeds = config.seeds or derived_seeds(given.config.start_seed, config.episodes)
    return MeasuredSide(given.config, load_policy(given), seeds[: config.episodes], about=lambda _: about)


def _play(session: Session, recordings: Sequence[Recording]) -> MeasuredSide:
    again = PlayedAgain(dict(enumerate(recordings)))
    environment = TrainConfig.model_validate(session.job.inputs["config"])
    seeds = [recording.seed or 0 for recording in recordings]
    return MeasuredSide(
        environment,
        again,
        seeds,
        begin=again.begin,
        end=again.require_same,
        about=lambda episodes: {"played": _steps_of(recordings[:episodes])},
    )


def _steps_of(recordings: Sequence[Recording]) -> PlayedSteps:
    acted = [[bool(one) for one in who_acted(recording)] for recording in recordings]
    return PlayedSteps(
        steps=sum(recording.count for recording in recordings),
        by_person=sum(map(sum, acted)),
        players=[player_of(steps) for steps in acted],
    )
