"""Episodes under a user's reward: scored in parts, added up in order, with a problem instead of an error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rl_lab.core.errors import CodeFailed, NotReady
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.jobs.own_evaluation import OwnEvaluation
from rl_lab.worker.own_reward import OwnReward, cut
from rl_lab.worker.scored_episode import ScoredEpisode
from rl_lab.worker.user_code import noted_steps
from rl_lab.worker.user_code.noted_steps import NotingEnv
from rl_lab.worker.user_code.scorer import Scored, StepRows


class FakeScorer:
    """Gives each step its number in the episode times 0.1; from its second message on there is a second term."""

    takes = frozenset({"info", "obs"})

    def __init__(self) -> None:
        self.messages: list[StepRows] = []
        self.step = 0

    def score(self, rows: StepRows) -> Scored:
        self.messages.append(rows)
        totals = []
        for begins in rows.begins:
            self.step = 0 if begins else self.step + 1
            totals.append(self.step * 0.1)
        column = np.array(totals)
        if len(self.messages) == 1:
            return Scored(column, column[:, None], ("a",))
        return Scored(column, np.stack([column, column], axis=1), ("a", "b"))

    def close(self) -> None:
        pass


class FailingScorer(FakeScorer):
    def score(self, rows: StepRows) -> Scored:
        raise CodeFailed("The reward failed.", row=0)


def reward_with(scorer: Any, **given: Any) -> OwnReward:
    own = OwnReward({"name": "mine", **given})
    own._scorer = scorer
    return own


def play(env: Any, steps: int) -> None:
    env.reset(seed=1)
    for _ in range(steps):
        env.step(env.action_space.sample())


def test_a_long_episode_is_scored_in_parts_and_added_up_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(noted_steps, "MAX_ROWS", 4)
    scorer = FakeScorer()
    episode = ScoredEpisode(reward_with(scorer))
    play(NotingEnv(make_environment("Pendulum-v1"), episode.noted), 10)
    assert [len(rows) for rows in scorer.messages] == [4, 4]
    scored = episode.finish()
    assert scored is not None
    assert [len(rows) for rows in scorer.messages] == [4, 4, 2]
    assert scorer.messages[0].info == [{}] * 4
    in_order = 0.0
    for step in range(10):
        in_order += step * 0.1
    assert scored.returned == in_order
    assert scored.names == ("a", "b")
    assert scored.terms[3].tolist() == [pytest.approx(0.3), 0.0]


def test_an_evaluation_has_the_returns_that_its_training_would_report() -> None:
    own = OwnEvaluation(reward_with(FakeScorer()))
    env = own.watch(make_environment("Pendulum-v1"))
    for _ in range(2):
        play(env, 50)
        own.count()
    in_order = 0.0
    for step in range(50):
        in_order += step * 0.1
    assert own.summary()["own_returns"] == [in_order, in_order]
    assert in_order != float(np.sum(np.arange(50) * 0.1)), "another order is rounded differently"


def test_a_reward_that_fails_is_a_problem_and_nothing_more_is_noted() -> None:
    episode = ScoredEpisode(reward_with(FailingScorer()))
    env = NotingEnv(make_environment("CartPole-v1"), episode.noted)
    play(env, 3)
    assert episode.finish() is None
    assert "The reward failed" in episode.problem
    play(env, 3)
    assert len(episode.noted) == 0


def test_a_reward_that_cannot_be_started_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_ready(_: OwnReward) -> Any:
        raise NotReady("It could not be confined.", cause="not-confined")

    monkeypatch.setattr(OwnReward, "_open", not_ready)
    own = OwnEvaluation(OwnReward({"name": "mine"}))
    play(own.watch(make_environment("CartPole-v1")), 3)
    own.count()
    assert own.summary() == {"own_reward": "mine", "own_problem": "It could not be confined."}


def test_unfinished_episodes_are_scored_again_only_for_code_with_a_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(noted_steps, "MAX_ROWS", 4)
    forgetful, stateful = FakeScorer(), FakeScorer()
    stateful.takes = frozenset({"obs", "state"})
    for scorer in (forgetful, stateful):
        own = reward_with(scorer)
        env = NotingEnv(make_environment("Pendulum-v1"), own.noted)
        with own.bringing_back():
            play(env, 10)
        assert len(own.noted) == 0
        env.step(env.action_space.sample())
        assert len(own.noted) == 1, "the training goes on"
    assert forgetful.messages == []
    assert [len(rows) for rows in stateful.messages] == [4, 4, 2]


def test_messages_are_small_enough_for_slow_code_and_for_large_observations() -> None:
    def rows(obs: Any, **more: Any) -> StepRows:
        n = len(obs)
        no = np.zeros(n, np.bool_)
        return StepRows(obs, np.zeros(n), obs, np.zeros(n), no, no, no, **more)

    assert max(part.stop - part.start for part in cut(rows(np.zeros((10_000, 4))))) == 2048
    pictures = [{"picture": np.zeros((1 << 20,), np.uint8)} for _ in range(100)]
    assert max(part.stop - part.start for part in cut(rows(pictures))) <= 16
    infos = [{"text": "x" * (1 << 20)} for _ in range(100)]
    assert max(part.stop - part.start for part in cut(rows(np.zeros((100, 4)), info=infos))) <= 32
