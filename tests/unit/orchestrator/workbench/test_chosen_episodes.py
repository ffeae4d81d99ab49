from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.workbench.bench.chosen_episodes import (
    BenchSelection,
    ChosenEpisode,
    one_environment,
)
from rl_lab.orchestrator.workbench.bench.results import SUMMARY_S, BenchResults, outcome_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def run(run_id: str, env_id: str = "CartPole-v1") -> Run:
    config = TrainConfig(env_id=env_id, algorithm="ppo", runner="turbo", total_timesteps=1)
    return Run(id=run_id, name=run_id, config=config, env_id=env_id, created_at=NOW, updated_at=NOW)


def chosen(run_id: str, episode: int, length: int = 10) -> ChosenEpisode:
    return ChosenEpisode(run(run_id), EpisodeRow(episode=episode, length=length, at=NOW))


def test_episodes_that_different_processes_may_simulate_are_apart() -> None:
    foreign = Confinement(reads=["/somewhere"])
    episodes = [chosen("own", 0), chosen("foreign", 0), chosen("own", 1)]
    rights = {"own": None, "foreign": foreign}
    groups = BenchSelection("CartPole-v1", episodes, rights).groups()
    assert [(known, [(one.run.id, one.row.episode) for one in members]) for known, members in groups] == [
        (None, [("own", 0), ("own", 1)]),
        (foreign, [("foreign", 0)]),
    ]


def test_what_is_left_out_is_counted_by_reason() -> None:
    choice = BenchSelection("CartPole-v1")
    choice.leave_out("a", "Deleted.", 2)
    choice.leave_out("b", "Deleted.")
    choice.leave_out("a", "Not deterministic.", 5)
    assert [(one.reason, one.episodes, one.run_ids) for one in choice.left_out.values()] == [
        ("Deleted.", 3, ["a", "b"]),
        ("Not deterministic.", 5, ["a"]),
    ]


def test_another_episode_of_the_same_number_has_another_key() -> None:
    later = EpisodeRow(episode=0, length=10, at=NOW.replace(second=1))
    assert chosen("a", 0).key != ChosenEpisode(run("a"), later).key


def test_runs_of_different_environments_are_refused() -> None:
    assert one_environment([run("a"), run("b")]) == "CartPole-v1"
    with pytest.raises(InvalidInput, match="CartPole-v1, Acrobot-v1"):
        one_environment([run("a"), run("b", "Acrobot-v1")])


@pytest.mark.parametrize(
    ("flags", "outcome"),
    [
        ({"success": True, "truncated": True}, "success"),
        ({"success": False, "terminated": True}, "terminated"),
        ({"terminated": False, "truncated": True}, "truncated"),
        ({}, "unfinished"),
    ],
)
def test_an_outcome_is_success_else_what_ended_the_episode(flags: dict[str, bool], outcome: str) -> None:
    assert outcome_of(EpisodeRow(episode=0, at=NOW, **flags)) == outcome


def test_no_summary_is_due_before_the_first_episode_has_been_shown_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    one = chosen("a", 0)
    results = BenchResults(BenchSelection("CartPole-v1", [one]), ["mine"])
    now += 10 * SUMMARY_S
    assert not results.is_summary_due
    score = {"own_return": 1.0, "terms": {}}
    results.add(
        {
            "key": one.key,
            "length": 10,
            "env_return": 1.0,
            "is_exact": True,
            "was_simulated": True,
            "scores": [score],
        }
    )
    assert not results.is_summary_due
    now += SUMMARY_S
    assert results.is_summary_due
