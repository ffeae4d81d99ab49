"""What the event log says when a run has started."""

from __future__ import annotations

from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import RunnerSpec
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.durations import duration_words
from rl_lab.core.words.run_names import BETWEEN, training_name


def started_message(config: JobConfig, timestep0: int = 0) -> str:
    """ "Training started: PPO on CartPole-v1, 300,000 steps, seed 3."; another job just runs."""
    if not isinstance(config, TrainConfig):
        return "The worker is running."
    what, *rest = training_name(config, None).split(BETWEEN)
    steps = [plural(config.total_timesteps, config.unit)] if config.total_timesteps else []
    steps += [duration_words(config.max_seconds)] if config.max_seconds else []
    steps += [plural(config.max_episodes, "episode")] if config.max_episodes else []
    begun = f"resumed at {config.unit} {timestep0:,}" if timestep0 else "started"
    return f"Training {begun}: {', '.join([what, *steps, *rest])}."


def inexact_resume(spec: RunnerSpec | None, timestep0: int) -> str | None:
    """ "Resumed from step 8,192; not exact: …."; None when the run continues as if it had not been stopped."""
    if spec is None or spec.capabilities.exact_resume:
        return None
    return f"Resumed from step {timestep0:,}; not exact: {spec.capabilities.not_restored}."
