"""Whether a training that runs until its environment is solved has solved it, and how that is reported."""

from __future__ import annotations

from collections.abc import Callable

from rl_lab.analysis.wording import count, number
from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.worker.judging import OWN_RETURNS, is_judged_by_reward

NEXT_STEP = "Train it again with more steps (`--timesteps`), or with another preset, algorithm or seed."


class Solving:
    """Compares means of 100 episodes with the threshold; keeps the best one for the final message."""

    def __init__(self, threshold: float, first_step: int = 0, compared: str = "reward") -> None:
        """`compared`: what the means are of."""
        self.is_solved = False
        self._compared = compared
        self._threshold = threshold
        self._first_step = first_step
        """Where this attempt resumed the run: the means before it are not known here."""
        self._best: float | None = None
        self._confirms = False

    @property
    def best(self) -> float | None:
        """The best mean so far; a checkpoint contains it."""
        return self._best

    def restore(self, best: float | None) -> None:
        """Continues from a checkpoint with the means of the whole run."""
        self._best, self._first_step = best, 0

    def check(self, mean: float, confirm: Callable[[], bool] | None = None) -> None:
        """`mean` is that of 100 episodes; `confirm` is called only when it reaches the threshold."""
        self._best = mean if self._best is None else max(mean, self._best)
        self._confirms = confirm is not None
        if not self.is_solved and mean >= self._threshold:
            self.is_solved = confirm is None or confirm()

    def check_last(self, mean: float) -> None:
        """After the last update, which a learner may not have checked; one that confirms has."""
        if not self._confirms:
            self.check(mean)

    def failure(self, episodes: int) -> str:
        """How far a run came that used up its steps."""
        goal, since = number(self._threshold), f" since step {self._first_step:,}" if self._first_step else ""
        if self._best is None:
            played = f"{count(episodes, 'episode')}{since}, and the mean of {REWARD_WINDOW} must reach {goal}"
            return f"Not solved: there were only {played}."
        best = f"the best mean {self._compared} over {REWARD_WINDOW} episodes{since} was {number(self._best)}"
        if self._best < self._threshold:
            return f"Not solved: {best}; {goal} counts as solved."
        return f"Not solved: {best}, but the policy without exploration did not reach {goal}."


def solving_of(job: Job) -> Solving | None:
    """For a training that stops once its environment is solved; None where there is no threshold to reach."""
    config, env = job.config, job.env
    if not isinstance(config, TrainConfig) or config.until != "solved":
        return None
    if env is None or env.reward_threshold is None:
        return None
    return Solving(
        env.reward_threshold, job.timestep0, OWN_RETURNS if is_judged_by_reward(config) else "reward"
    )
