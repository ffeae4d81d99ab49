"""The RunState: what a run's journal has reported so far, in a few numbers. Pure.

It is stored in the same transaction as the journal's position, so that a restarted lab continues from exactly there.
Names of fields are part of the stored format. `progress` and `summary` are what the list of runs shows.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import msgspec

from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.lengths.limits import RunLimits, progress_fraction, seconds_left
from rl_lab.core.protocol.events import EnvironmentEvent, EpisodeEvent, FinishedEvent
from rl_lab.core.runs import Progress, Summary
from rl_lab.core.script_environments import EnvironmentRole
from rl_lab.orchestrator.ingest.environment_state import MAX_ENVIRONMENTS, EnvironmentState

SPARKLINE_POINTS = 40
FPS_SAMPLES = 24
UNITS = frozenset({"step", "episode", "byte"})
"""What a job may say that it counts."""
MAX_SENTENCE = 500
"""Characters of what a worker says about its scores."""
MAX_T = 4e10
"""Times from here on (the year 3237) are not times."""
JUMP_S = 600.0
"""A longer gap between two events means that the clock jumped or the machine slept; it is not counted as work."""


class RunState(msgspec.Struct, kw_only=True):
    attempt: int = 0
    # Of this attempt:
    lines: int = 0
    """Lines of the journal read so far; attempt and number identify a line."""
    said_hello: bool = False
    is_starting: bool = False
    """Only the hello has come: libraries are being loaded, which is no training time."""
    is_paused: bool = False
    finished: FinishedEvent | None = None
    last_seq: int = -1
    log_second: int = 0
    logs_in_second: int = 0
    logs_kept: int = 0
    logs_left_out: int = 0
    files_told: int = 0
    """Artifacts reported."""
    reported_environment: bool = False
    broken_lines: int = 0
    unknown_lines: int = 0
    broken_bytes: int = 0
    """Length of broken.txt that belongs to these lines."""
    unknown_bytes: int = 0
    # Of the whole run:
    timestep: int = 0
    total_timesteps: int = 0
    unit: str = ""
    """What a job says that it counts; empty: what its kind counts."""
    max_seconds: int = 0
    """0: no such limit; like `max_episodes`."""
    max_episodes: int = 0
    episodes: int = 0
    evaluations: int = 0
    """Episodes of the evaluation environments of a captured script."""
    evaluated_step: int = -1
    """The last step whose evaluation alongside the training has its point; a killed worker may send it again."""
    evaluated: list[float] = []
    """Mean returns of the last evaluations alongside; they count where the training itself plays no episodes."""
    best_evaluated: float | None = None
    score_reference: str = ""
    """What the normalised score is measured with, as the worker said it."""
    environments: list[EnvironmentState] = []
    """Of a captured script, by number."""
    roles_changed: bool = False
    """The role of an environment that has episodes changed: they must be sorted again."""
    rewards: list[float] = []
    """Of the last 100 episodes; finite ones only."""
    lengths: list[int] = []
    best_mean: float | None = None
    best_reward: float | None = None
    last_reward: float | None = None
    last_length: int | None = None
    loss: float | None = None
    sparkline: list[float] = []
    sparkline_stride: int = 1
    elapsed_s: float = 0.0
    last_t: float | None = None
    fps_times: list[float] = []
    fps_steps: list[int] = []
    tick_bucket: int = 0
    tick_is_due: bool = False
    step_second: int = 0
    steps_in_second: int = 0

    def begin_attempt(self, attempt: int, timestep0: int) -> None:
        """Resets the numbers of the attempt; those of the whole run continue."""
        self.attempt = attempt
        self.lines = self.broken_lines = self.unknown_lines = 0
        self.broken_bytes = self.unknown_bytes = 0
        self.said_hello = self.is_starting = self.is_paused = self.reported_environment = False
        self.finished = None
        self.last_seq, self.unit = -1, ""
        self.log_second = self.logs_in_second = self.logs_kept = self.logs_left_out = self.files_told = 0
        self.timestep = timestep0
        self.evaluated_step = min(self.evaluated_step, timestep0)
        self.last_t = None
        self.fps_times, self.fps_steps = [], []

    @property
    def mean_reward(self) -> float | None:
        if not self.rewards:
            return None
        try:
            return math.fsum(self.rewards) / len(self.rewards)
        except OverflowError:  # their sum is beyond a float, their mean is not
            return math.fsum(reward / len(self.rewards) for reward in self.rewards)

    def is_new_evaluation(self, step: int) -> bool:
        """Whether no evaluation of this step was counted; it is from now on."""
        is_new = step > self.evaluated_step
        self.evaluated_step = max(step, self.evaluated_step)
        return is_new

    def note_evaluation(self, mean: float) -> None:
        self.evaluated = [*self.evaluated[1 - SPARKLINE_POINTS :], round(mean, 4)]
        self.best_evaluated = mean if self.best_evaluated is None else max(mean, self.best_evaluated)

    @property
    def shown_mean(self) -> float | None:
        """Of the last episodes; of the last evaluation, where there are none: a training from a dataset."""
        return self.mean_reward if self.episodes or not self.evaluated else self.evaluated[-1]

    @property
    def mean_length(self) -> float | None:
        return sum(self.lengths) / len(self.lengths) if self.lengths else None

    @property
    def fps(self) -> float | None:
        if len(self.fps_times) < 2:
            return None
        span = self.fps_times[-1] - self.fps_times[0]
        return (self.fps_steps[-1] - self.fps_steps[0]) / span if span > 0 else None

    def find_environment(self, number: int) -> EnvironmentState | None:
        return next((one for one in self.environments if one.number == number), None)

    def learn_environment(self, event: EnvironmentEvent) -> tuple[EnvironmentState | None, bool]:
        """Take what a captured script reports about environments; True when their role is new or has changed."""
        environment = self.find_environment(event.env_group)
        is_new = environment is None
        if environment is None:
            if len(self.environments) >= MAX_ENVIRONMENTS:
                return None, False
            environment = EnvironmentState(number=event.env_group)
            self.environments.append(environment)
        is_changed = environment.learn(event)
        self.roles_changed = self.roles_changed or (is_changed and environment.episodes > 0)
        return environment, is_new or is_changed

    def count_in_environment(self, event: EpisodeEvent) -> EnvironmentRole:
        """The role of the episode's environment; its number and timestep follow from that, not from the script."""
        event.episode = None
        environment = self.find_environment(event.env_group or 0)
        if environment is None:
            return "training"
        environment.episodes += 1
        environment.steps = max(environment.steps, event.group_step or 0)
        chosen = self.chosen_timestep
        if chosen is not None:
            event.timestep = chosen
        return environment.role

    @property
    def chosen_timestep(self) -> int | None:
        """Steps of the training environments, where a user chose which those are; None where the worker did."""
        if not any(one.is_chosen for one in self.environments):
            return None
        return sum(one.steps for one in self.environments if one.role == "training")

    def pass_time(self, t: float) -> None:
        """Adds the time since the last event, unless the clock jumped, the run was paused, or it was still starting."""
        if self.last_t is not None:
            gap = t - self.last_t
            if 0 < gap < JUMP_S:
                self.elapsed_s += 0 if self.is_paused or self.is_starting else gap
            elif gap != 0:
                self.fps_times, self.fps_steps = [], []
        self.last_t = t

    def reach(self, timestep: int, t: float | None, unit: str = "") -> None:
        if unit != self.unit and unit in UNITS:
            # A job has come to its next part, which counts something else from 0.
            self.unit, self.timestep = unit, 0
            self.fps_times, self.fps_steps = [], []
        chosen = self.chosen_timestep if self.environments else None
        if chosen is not None:
            timestep = chosen
        if timestep > self.timestep:
            self.timestep = timestep
        if t is None or (self.fps_times and t - self.fps_times[-1] < 0.25):
            return
        self.fps_times.append(t)
        self.fps_steps.append(self.timestep)
        if len(self.fps_times) > FPS_SAMPLES:
            del self.fps_times[0], self.fps_steps[0]

    def end_episode(self, reward: float | None, length: int) -> None:
        """A length of 0 is unknown."""
        self.last_length = length or None
        if length:
            self.lengths.append(length)
        if len(self.lengths) > REWARD_WINDOW:
            del self.lengths[0]
        if reward is None or not math.isfinite(reward):
            return
        self.last_reward = reward
        if self.best_reward is None or reward > self.best_reward:
            self.best_reward = reward
        self.rewards.append(reward)
        if len(self.rewards) > REWARD_WINDOW:
            del self.rewards[0]
        if len(self.rewards) == REWARD_WINDOW:
            mean = self.mean_reward
            if mean is not None and (self.best_mean is None or mean > self.best_mean):
                self.best_mean = mean

    def extend_sparkline(self) -> None:
        """One more point every `stride` episodes; a full line drops every second point and doubles the stride."""
        if self.episodes % self.sparkline_stride or not self.rewards:
            return
        if len(self.sparkline) == SPARKLINE_POINTS:
            self.sparkline = self.sparkline[1::2]
            self.sparkline_stride *= 2
            if self.episodes % self.sparkline_stride:
                return
        self.sparkline.append(round(self.mean_reward or 0.0, 4))

    def tick(self, t: float) -> dict[str, Any]:
        """The fields of a Tick, without its id."""
        fps = self.fps
        return {
            "episode": self.episodes - 1 if self.episodes else None,
            "episode_count": self.episodes,
            "timestep": self.timestep,
            "reward": self.last_reward,
            "mean_reward": self.shown_mean,
            "episode_length": self.last_length,
            "loss": self.loss,
            "fps": round(fps, 1) if fps else None,
            "timestamp": t,
        }

    def progress(self) -> Progress:
        total, fps = self.total_timesteps, self.fps
        limits = RunLimits(self.max_seconds, self.max_episodes)
        seconds, episodes = self.elapsed_s, self.episodes
        steps_s = max(0, total - self.timestep) / fps if fps and total else None
        left = seconds_left(limits, steps_s=steps_s, seconds=seconds, episodes=episodes)
        return Progress(
            timestep=self.timestep,
            total_timesteps=total,
            unit=self.unit,
            fraction=progress_fraction(
                limits, timestep=self.timestep, total=total, seconds=seconds, episodes=episodes
            ),
            episodes=self.episodes,
            fps=round(fps, 1) if fps else None,
            eta_s=round(left, 1) if left is not None and not self.is_paused else None,
            elapsed_s=round(self.elapsed_s, 3),
            last_event_at=as_time(self.last_t),
        )

    def summary(self) -> Summary:
        mean, best = self.shown_mean, self.best_mean if self.episodes else self.best_evaluated
        return Summary(
            mean_reward=mean,
            best_mean_reward=best if best is not None else mean,
            best_reward=self.best_reward,
            last_reward=self.last_reward,
            mean_length=self.mean_length,
            loss=self.loss,
            sparkline=list(self.sparkline if self.episodes else self.evaluated),
            score_reference=self.score_reference or None,
        )


def as_time(t: float | None) -> datetime | None:
    """A time of the worker's clock; None when it is impossible."""
    if t is None or not 0 <= t < MAX_T:
        return None
    return datetime.fromtimestamp(t, UTC)
