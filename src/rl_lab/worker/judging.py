"""Whose return decides about the best checkpoint and about solved: the environment's, or that of the user's reward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_lab.analysis.wording import number
from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.portable.emitter import Emitter

if TYPE_CHECKING:
    from rl_lab.worker.own_reward import OwnReward

OWN_RETURNS = "return under your own reward"
JUDGED = "judged_by_reward"
"""Type of the line in the event log."""


def own_reward_of(job: Job, telemetry: Emitter) -> OwnReward | None:
    """What a training learns from instead of the environment's reward; None: that one."""
    given = job.inputs.get("reward")
    if not given:
        return None
    from rl_lab.worker.own_reward import OwnReward  # numpy and Gymnasium take their time to load

    reward = OwnReward(given, telemetry)
    reward.start()
    return reward


def is_judged_by_reward(config: object) -> bool:
    """Whether returns under the user's reward decide."""
    return isinstance(config, TrainConfig) and config.reward is not None and config.judge_by == "reward"


def judging_sentence(job: Job) -> str:
    """What a run says at its start whose own reward decides; empty for others."""
    config, env = job.config, job.env
    if not isinstance(config, TrainConfig) or not is_judged_by_reward(config):
        return ""
    sentence = f"Returns under your reward “{config.reward}” decide which checkpoint is the best."
    if config.until != "solved" or env is None or env.reward_threshold is None:
        return sentence
    goal = number(env.reward_threshold)
    reached = f"their mean over {REWARD_WINDOW} episodes reaches {goal}, the environment's threshold"
    return f"{sentence} Solved means that {reached}."
