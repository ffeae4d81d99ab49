"""High scores: each kind of player has places of its own, and a policy's score names its episode."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.traces import finished

from rl_lab.core.environments import Environment
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.plays.players import Player
from rl_lab.core.plays.scores import HighScore, HighScores
from rl_lab.core.runs import Run, Summary
from rl_lab.core.workbench.protocols import CitedProtocol
from rl_lab.orchestrator.plays.high_scores import list_high_scores, name_episode
from rl_lab.store import runs
from rl_lab.store.plays import play_episodes, policy_scores
from rl_lab.store.plays.play_episodes import PlayEpisode
from rl_lab.store.telemetry import Batch, NewEpisode, Position, TelemetryDb

CONTEXT = {"env_id": "CartPole-v1", "action": {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}}


def score(returned: float) -> HighScore:
    return HighScore(player="policy", label="PPO", run_id="r", returned=returned, at=datetime.now(UTC))


def test_the_best_return_of_a_run_names_its_recorded_episode(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.db"
    db = TelemetryDb(path)
    rewards = [10.0, 30.0, 30.0, 20.0]
    db.apply(
        Batch(
            Position(1, 1, 1),
            episodes=[
                NewEpisode(e, 0.0, seed=100 + e, reward=reward, length=10) for e, reward in enumerate(rewards)
            ],
            recordings=[finished(1, 0, 101, 10, bytes(10))],
            context=CONTEXT,
        )
    )
    db.close()
    found = name_episode(score(30.0), path)
    assert (found.episode, found.seed, found.length) == (1, 101, 10), "2 is newer, but not recorded"
    assert name_episode(score(20.0), path).episode is None, "the summary and the episodes do not agree"
    packed = score(30.0)
    assert name_episode(packed, tmp_path / "packed.db") == packed


CARTPOLE = Environment(
    id="CartPole-v1",
    name="Cart Pole",
    family="classic control",
    action_space_type="discrete",
    action_space="DISCRETE(2)",
    obs_space_type="box",
    obs_space="BOX(4)",
    obs_space_dims=[4],
    package="gymnasium 1.4.0",
    default_kwargs={"sutton_barto_reward": False},
    reward_threshold=475.0,
)
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def add_run(db: Any, run_id: str, config: Any, minute: int = 0, **fields: Any) -> None:
    at = NOON + timedelta(minutes=minute)
    run = Run(id=run_id, name=run_id, kind=config.kind, config=config, created_at=at, updated_at=at, **fields)
    db.write(lambda conn: runs.insert(conn, run))


def add_play(db: Any, run_id: str, player: Player, *returns: float, minute: int = 0, **config: Any) -> None:
    add_run(db, run_id, PlayConfig(env_id=CARTPOLE.id, **config), env_id=CARTPOLE.id)
    for episode, returned in enumerate(returns):
        at = NOON + timedelta(minutes=minute + episode)
        one = PlayEpisode(run_id, episode, CARTPOLE.id, player, episode, returned, 10, at)
        db.write(lambda conn, one=one: play_episodes.put(conn, one))


def add_policy(db: Any, run_id: str, best: float, minute: int = 0, **kwargs: Any) -> None:
    config = TrainConfig(algorithm="ppo", env_id=CARTPOLE.id, env_kwargs=kwargs)
    add_run(db, run_id, config, minute, summary=Summary(best_reward=best))


def scores_of(db: Any, limit: int = 20) -> HighScores:
    found: HighScores = db.read(lambda conn: list_high_scores(conn, CARTPOLE, limit))
    return found


def shown(found: HighScores) -> dict[str, list[tuple[int, str, float]]]:
    groups = {group.player: group.scores for group in found.groups}
    return {player: [(s.rank, s.run_id, s.returned) for s in some] for player, some in groups.items()}


def test_many_solved_runs_do_not_hide_people(db: Any) -> None:
    for n in range(4):
        add_policy(db, f"solved{n}", 500.0, minute=-n)
    add_play(db, "mine", "person", 31.0, 90.0, 12.0)
    add_play(db, "ours", "hybrid", 200.0)
    found = scores_of(db, limit=3)
    assert shown(found) == {
        "person": [(1, "mine", 90.0)],
        "hybrid": [(1, "ours", 200.0)],
        # All of them are first; the earliest is named first.
        "policy": [(1, "solved3", 500.0), (1, "solved2", 500.0), (1, "solved1", 500.0)],
    }
    assert found.groups[0].scores[0].episode == 1


def test_a_policy_has_one_place_however_often_it_is_evaluated(db: Any) -> None:
    add_policy(db, "trained", 480.0)
    add_policy(db, "other", 490.0)
    for n, best in enumerate((500.0, 495.0)):
        config, summary = EvaluateConfig(run_id="trained"), Summary(best_reward=best)
        add_run(db, f"evaluated{n}", config, parent_id="trained", summary=summary)
    add_play(db, "mine", "person", 500.0)
    add_run(db, "again", EvaluateConfig(run_id="mine"), parent_id="mine", summary=Summary(best_reward=500.0))
    assert shown(scores_of(db))["policy"] == [(1, "evaluated0", 500.0), (2, "other", 490.0)]


def test_equal_returns_share_a_place_and_the_earlier_one_is_first(db: Any) -> None:
    for run_id, minute, returned in [("late", 9, 500.0), ("early", 3, 500.0), ("third", 1, 20.0)]:
        add_play(db, run_id, "person", returned, minute=minute)
    assert shown(scores_of(db))["person"] == [(1, "early", 500.0), (1, "late", 500.0), (3, "third", 20.0)]


def test_other_arguments_are_listed_apart(db: Any) -> None:
    add_policy(db, "plain", 10.0, sutton_barto_reward=False)
    add_policy(db, "wrapped", 900.0, wrappers=[{"id": "time_limit", "steps": 900}])
    add_play(db, "mine", "person", 5.0, env_kwargs={"sutton_barto_reward": True})
    found = scores_of(db)
    assert shown(found) == {"person": [], "hybrid": [], "policy": [(1, "plain", 10.0)]}
    assert [(one.run_id, one.arguments) for one in found.changed] == [
        ("wrapped", "time limit 900"),
        ("mine", "sutton barto reward"),
    ]


def test_the_best_episodes_count_whatever_the_mean_of_their_run_is(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_scores, "CANDIDATES", 2)
    for run_id, best, mean, minute in [("steady", 210.0, 200.0, 0), ("late", 300.0, 250.0, 5)]:
        config = TrainConfig(algorithm="ppo", env_id=CARTPOLE.id)
        add_run(db, run_id, config, minute, summary=Summary(best_reward=best, best_mean_reward=mean))
    add_policy(db, "lucky", 300.0, minute=1)
    assert shown(scores_of(db))["policy"] == [(1, "lucky", 300.0), (1, "late", 300.0)]


def test_returns_that_code_of_the_user_reports_are_pointed_out(db: Any) -> None:
    add_policy(db, "wrapped", 900.0, wrappers=[{"id": "time_limit", "steps": 900}])
    assert scores_of(db).returns_note == ""
    add_policy(db, "mine", 910.0, wrappers=[{"id": "custom", "code": "hold@v1"}])
    assert "with a custom wrapper are what its code reports" in scores_of(db).returns_note


def test_the_score_of_an_evaluation_cites_its_protocol(db: Any) -> None:
    cited = CitedProtocol(name="nightly", version=2, sha256="n2", text="protocol nightly@v2")
    add_policy(db, "trained", 8.0)
    add_policy(db, "other", 7.0)
    config, summary = EvaluateConfig(run_id="trained", cited=cited), Summary(best_reward=9.0)
    add_run(db, "evaluated", config, parent_id="trained", summary=summary)
    (policies,) = [group.scores for group in scores_of(db).groups if group.player == "policy"]
    assert {one.run_id: one.cited for one in policies} == {"evaluated": "nightly@v2", "other": None}
