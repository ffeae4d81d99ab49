"""What evaluation code sees of an episode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rl_lab.core.errors import CodeFailed
from rl_lab.worker.user_code import watched_episode
from rl_lab.worker.user_code.scorer import Scored, StepRows
from rl_lab.worker.user_code.watched_episode import WatchedEpisode


def watched(source: str, observations: list[Any], infos: list[Any] | None = None) -> dict[str, Any]:
    seen = WatchedEpisode(source, "Toy-v0")
    infos = infos or [{} for _ in observations]
    seen.begin(observations[0], infos[0])
    for n, (observation, info) in enumerate(zip(observations[1:], infos[1:], strict=True)):
        seen.add(n, (observation, 0.5, n == len(observations) - 2, False, info))
    return seen.fields(7)


def test_an_episode_has_one_observation_and_info_more_than_actions() -> None:
    fields = watched("episode.observations, episode.infos", [np.zeros(2), np.ones(2), np.ones(2)])
    assert fields["observations"].shape == (3, 2)
    assert len(fields["infos"]) == 3
    assert (fields["actions"].tolist(), fields["rewards"].tolist()) == ([0, 1], [0.5, 0.5])
    assert (fields["length"], fields["return_"], fields["seed"], fields["env_id"]) == (2, 1.0, 7, "Toy-v0")
    assert (fields["terminated"], fields["truncated"], fields["own_rewards"]) == (True, False, None)


def test_what_the_code_does_not_name_is_not_kept() -> None:
    fields = watched("episode.rewards", [np.zeros(2), np.ones(2)])
    assert (fields["observations"], fields["infos"]) == (None, None)


def test_arrays_that_an_environment_uses_again_are_copied() -> None:
    same = np.zeros(1)
    seen = WatchedEpisode("observations", "Toy-v0")
    seen.begin(same, {})
    same += 1
    seen.add(0, (same, 1.0, True, False, {}))
    same += 1
    assert seen.fields(None)["observations"].tolist() == [[0.0], [1.0]]


def test_observations_with_several_parts_are_copied_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    same = {"place": np.zeros(10)}
    seen = WatchedEpisode("observations", "Toy-v0")
    seen.begin(same, {})
    same["place"] += 1
    seen.add(0, (same, 1.0, True, False, {}))
    assert seen.fields(None)["observations"][0]["place"][0] == 0.0
    monkeypatch.setattr(watched_episode, "MAX_BYTES", 100)
    with pytest.raises(CodeFailed, match="take more than"):
        seen.fields(None)


def test_rewards_of_the_run_are_asked_for_with_all_steps() -> None:
    def score(rows: StepRows) -> Scored:
        return Scored(rows.reward * 2, np.zeros((len(rows), 0)), ())

    seen = WatchedEpisode("own_rewards", "Toy-v0", score)
    seen.begin(np.zeros(1), {})
    for n in range(3):
        seen.add(n, (np.zeros(1), 0.1, n == 2, False, {"n": n}))
    fields = seen.fields(None)
    assert fields["own_rewards"].tolist() == [0.2] * 3
    assert fields["return_"] == 0.1 + 0.1 + 0.1


def test_odd_observations_and_infos_are_handed_over_as_they_can_be() -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    fields = watched("observations infos", [np.zeros(1), np.zeros(2)], [{"x": np.float32(1)}, endless])
    assert fields["observations"] == [[0.0], [0.0, 0.0]]
    assert fields["infos"] == [{"x": 1.0}, {}]


def test_observations_that_do_not_fit_are_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_episode, "MAX_BYTES", 100)
    with pytest.raises(CodeFailed, match="take more than") as refused:
        watched("observations", [np.zeros(10)] * 5)
    assert "infos only" in (refused.value.next_step or "")
