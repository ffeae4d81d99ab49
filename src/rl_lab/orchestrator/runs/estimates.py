"""Estimates before a run: how fast its configuration trains here, and how many steps a time or episodes will be."""

from __future__ import annotations

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.lengths.speeds import Speed, expected_steps, measured_speed
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.registry import find_spec
from rl_lab.store import speeds


class Estimates:
    def __init__(self, context: Context) -> None:
        self._db = context.db

    async def speed(self, runner: str, algorithm: str, env_id: str, *, own_reward: bool = True) -> Speed:
        """InvalidInput for a runner or an algorithm that the lab does not have.

        `own_reward`: also of trainings that learned from a reward of the user's.
        """
        spec = find_spec(runner).algorithm(algorithm)
        past = await self._db.read(
            lambda conn: speeds.past_runs(conn, runner, spec.id, env_id, own_reward=own_reward)
        )
        return measured_speed(past, spec.steps_per_second)

    async def with_expected_steps(self, config: TrainConfig, new: NewRun) -> TrainConfig:
        """The configuration of a run that ends by time or episodes, with an estimate of its steps if none was given."""
        if config.expected_steps is None or new.expected_steps is not None:
            return config
        speed = await self.speed(config.runner, config.algorithm, config.env_id)
        steps = expected_steps(
            speed, seconds=config.max_seconds, episodes=config.max_episodes, usual=config.expected_steps
        )
        return config.model_copy(update={"expected_steps": steps})
