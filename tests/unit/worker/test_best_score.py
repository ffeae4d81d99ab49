"""When a checkpoint is the best one so far."""

from __future__ import annotations

from rl_lab.worker.best_score import BestScore


def test_only_a_higher_mean_is_a_new_best() -> None:
    best = BestScore()
    assert [best.improve(score, 100) for score in (1.0, 1.0, 0.5, 2.0)] == [True, False, False, True]
    assert best.score == 2.0


def test_a_mean_over_fewer_episodes_is_not_compared() -> None:
    best = BestScore(10.0, 100)
    assert not best.improve(500.0, 1)
    assert best.improve(11.0, 100)


def test_before_the_first_episode_nothing_is_best() -> None:
    assert not BestScore().improve(None, 0)


def test_its_state_brings_it_back() -> None:
    assert BestScore(**BestScore(3.0, 7).state()) == BestScore(3.0, 7)
