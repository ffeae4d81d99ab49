"""Playing episodes with a policy: what evaluations, forks and duels have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np

from rl_lab.analysis.statistics import mean
from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.evaluations import EvaluationSummary
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.portable.recorder import Recorder
from rl_lab.worker.environments.drawing import Frame, advance_render_clock, draw
from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.policies import notes_of
from rl_lab.worker.recorded_env import RecordedEnv
from rl_lab.worker.runner import Decision, Policy
from rl_lab.worker.session import Session
from rl_lab.worker.user_code.step_values import copied
from rl_lab.worker.user_code.watched_episode import WatchedEpisode

OnFrame = Callable[[Frame], None]


@dataclass(frozen=True, slots=True)
class Played:
    """One episode as it came out."""

    seed: int | None
    returned: float
    length: int
    terminated: bool
    truncated: bool
    actions: tuple[Any, ...] = ()
    """As the environment got them, for one that is drawn later."""


class Table:
    """An environment with its recorder, at which policies take turns."""

    def __init__(
        self,
        session: Session,
        config: TrainConfig,
        *,
        env_index: int = 0,
        draw: bool = False,
        watched: WatchedEpisode | None = None,
        wrap: Callable[[Any], Any] | None = None,
    ) -> None:
        """`watched` and `wrap` get what the environment itself returns, below what a policy wraps around it."""
        self.session = session
        self.recorder: Recorder = session.recorder
        mode = "rgb_array" if draw else None
        raw = (
            session.make_watched(config, draw=draw)
            if env_index == 0
            else make_environment(config.env_id, config.env_kwargs, mode)
        )
        session.announce_environment(
            config, action_space=raw.action_space, env_version=environment_version(config.env_id)
        )
        self._noted = Noted(wrap(raw) if wrap is not None else raw, watched)
        self.env = RecordedEnv(self._noted, self.recorder, env_index)
        self.env_index = env_index

    def play(
        self,
        policy: Policy,
        seed: int | None,
        *,
        generator: bytes = b"",
        deterministic: bool = True,
        prefix: Sequence[Any] = (),
        on_frame: OnFrame | None = None,
        draw_every: int = 1,
    ) -> Played | None:
        """One episode, begun with the actions of `prefix`; None when the run was stopped in it.

        `on_frame` gets the frame of every `draw_every`-th step.
        """
        env = wrapped(policy, Forced(self.env, prefix) if prefix else self.env)
        self.env.generator = generator
        observation, _ = env.reset(seed=seed)
        played = _Tally()
        self._draw(on_frame, 0, draw_every)
        while not played.ended:
            if self.session.should_stop():
                return None
            decision = policy.act(observation, deterministic)
            if self.env.steps >= len(prefix):
                self._think(decision)
            observation, reward, terminated, truncated, _ = env.step(decision.action)
            played.count(float(reward), bool(terminated), bool(truncated))
            self._draw(on_frame, played.length, draw_every)
        return Played(
            seed,
            played.returned,
            played.length,
            played.terminated,
            played.truncated,
            tuple(self._noted.actions),
        )

    def close(self) -> None:
        self.env.close()

    def _think(self, decision: Decision) -> None:
        chosen = None
        if decision.probabilities is not None and np.ndim(decision.action) == 0:
            chosen = decision.probabilities[int(decision.action)]
        extra = {
            name: column
            for name, column in (("probabilities", decision.probabilities), ("q_values", decision.q_values))
            if column is not None
        }
        self.recorder.thought(self.env_index, decision.value, chosen, extra)

    def _draw(self, on_frame: OnFrame | None, step: int, every: int) -> None:
        if on_frame is not None:
            if step:
                advance_render_clock(self.env)
            if step % every == 0:
                on_frame(draw(self.env, step))


class Noted(gymnasium.Wrapper):  # type: ignore[misc]
    """Notes the actions of the episode being played, and everything else of it where code looks at it."""

    def __init__(self, env: Any, watched: WatchedEpisode | None = None) -> None:
        super().__init__(env)
        self.actions: list[Any] = []
        self._watched = watched

    def reset(self, **how: Any) -> Any:
        self.actions = []
        found = self.env.reset(**how)
        if self._watched is not None:
            self._watched.begin(*found)
        return found

    def step(self, action: Any) -> Any:
        self.actions.append(copied(action))
        outcome = self.env.step(action)
        if self._watched is not None:
            self._watched.add(self.actions[-1], outcome)
        return outcome


class Forced(gymnasium.Wrapper):  # type: ignore[misc]
    """Plays given actions first, whatever the policy wants.

    It lies below the policy's own wrappers, since the actions were recorded there: what a policy skips or stacks
    fills up as if it had played them itself.
    """

    def __init__(self, env: Any, actions: Sequence[Any]) -> None:
        super().__init__(env)
        self._actions = actions
        self._played = 0

    def step(self, action: Any) -> Any:
        if self._played < len(self._actions):
            action = self._actions[self._played]
        self._played += 1
        return self.env.step(action)


class _Tally:
    """Sums of the episode being played."""

    def __init__(self) -> None:
        self.returned, self.length, self.terminated, self.truncated = 0.0, 0, False, False

    @property
    def ended(self) -> bool:
        return self.terminated or self.truncated

    def count(self, reward: float, terminated: bool, truncated: bool) -> None:
        self.returned += reward
        self.length += 1
        self.terminated, self.truncated = terminated, truncated


def play_episode(env: Any, policy: Policy, seed: int) -> Played:
    """One episode that nobody records, with the best action in each state."""
    observation, _ = env.reset(seed=seed)
    played = _Tally()
    while not played.ended:
        decision = policy.act(observation, deterministic=True)
        observation, reward, terminated, truncated, _ = env.step(decision.action)
        played.count(float(reward), bool(terminated), bool(truncated))
    return Played(seed, played.returned, played.length, played.terminated, played.truncated)


def log_notes(session: Session, policy: Policy) -> list[str]:
    """What the policy does not do as in its training, which its result has to say."""
    notes = notes_of(policy)
    for note in notes:
        session.telemetry.log("warning", note, code="policy_note")
    return notes


def wrapped(policy: Policy, env: Any) -> Any:
    """The environment as this policy knows it, e.g. with Atari's preprocessing."""
    wrap = getattr(policy, "wrap", None)
    return wrap(env) if wrap is not None else env


def summarise(played: Sequence[Played], *, deterministic: bool, env: Environment | None) -> EvaluationSummary:
    if not played:
        raise InvalidInput("No episode was played to its end, so there is nothing to summarise.")
    returns = np.array([p.returned for p in played])
    threshold = env.reward_threshold if env else None
    estimate = mean(returns)
    return EvaluationSummary(
        episodes=len(played),
        return_mean=float(returns.mean()),
        return_std=float(returns.std(ddof=1)) if len(returns) > 1 else 0.0,
        return_min=float(returns.min()),
        return_max=float(returns.max()),
        return_median=float(np.median(returns)),
        return_ci=(estimate.low, estimate.high),
        return_ci_level=estimate.level,
        length_mean=float(np.mean([p.length for p in played])),
        terminated=sum(p.terminated for p in played),
        truncated=sum(p.truncated for p in played),
        success_threshold=threshold,
        successes=None if threshold is None else int((returns >= threshold).sum()),
        deterministic=deterministic,
        seeds=[p.seed for p in played if p.seed is not None],
        returns=[p.returned for p in played],
        lengths=[p.length for p in played],
    )
