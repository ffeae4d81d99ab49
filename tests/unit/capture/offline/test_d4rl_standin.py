"""What scripts get instead of d4rl and gym 0.23: a dataset's columns, and Gymnasium in the older interface."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.corl import LENGTHS, write_pendulum

from rl_lab.capture.d4rl_standin.columns import DatasetColumns
from rl_lab.capture.d4rl_standin.dataset_run import (
    MAX_POINTS,
    DatasetRun,
    find_dataset_run,
)
from rl_lab.capture.d4rl_standin.modules import NAMES, DatasetFinder
from rl_lab.capture.failures import DatasetUnusable, explain


class Log:
    """What the stand-ins need of a session."""

    def __init__(self) -> None:
        self.stood_in: set[str] = set()
        self.lines: list[str] = []

    def log_once(self, _code: str, message: str, level: str) -> None:
        self.lines.append(message)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("datasets") / "pendulum" / "v1"
    write_pendulum(folder)
    return folder


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def modules(folder: Path, log: Log) -> Iterator[tuple[Any, Any]]:
    """gym and d4rl, as a script imports them."""
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in NAMES}
    finder: Any = DatasetFinder(log, DatasetRun("pendulum", str(folder), 100))  # type: ignore[arg-type]
    for name in kept:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    yield importlib.import_module("gym"), importlib.import_module("d4rl")
    sys.meta_path.remove(finder)
    for name in [one for one in sys.modules if one.partition(".")[0] in NAMES]:
        del sys.modules[name]
    sys.modules.update(kept)


def test_a_step_leads_to_the_next_observation_of_its_own_episode(folder: Path) -> None:
    columns, found = DatasetColumns(str(folder)), DatasetColumns(str(folder)).transitions()
    rows = np.load(folder / "observations.npy")
    last = LENGTHS[0] - 1
    assert len(found["rewards"]) == sum(LENGTHS)
    assert (found["observations"][last + 1] == rows[LENGTHS[0] + 1]).all()
    assert (found["next_observations"][last] == rows[LENGTHS[0]]).all()
    assert (found["next_observations"][-1] == rows[-1]).all()
    assert {str(column.dtype) for column in found.values()} == {"float32", "bool"}
    assert columns.env_id == "Pendulum-v1"


def test_cut_off_episodes_are_no_terminals_but_timeouts(folder: Path) -> None:
    found = DatasetColumns(str(folder)).trajectories()
    first, second, third = np.cumsum(LENGTHS) - 1
    assert np.flatnonzero(found["terminals"]).tolist() == [first]
    assert np.flatnonzero(found["timeouts"]).tolist() == [second, third]


def test_what_a_script_changes_in_place_is_its_own(folder: Path) -> None:
    columns = DatasetColumns(str(folder))
    before = columns.transitions()
    before["rewards"] *= 100
    assert not np.array_equal(columns.transitions()["rewards"], before["rewards"])


def test_a_script_finds_its_dataset_and_its_environment(modules: tuple[Any, Any], log: Log) -> None:
    gym, d4rl = modules
    env = gym.wrappers.TransformReward(
        gym.wrappers.TransformObservation(gym.make("pendulum"), lambda state: state * 2),
        lambda reward: -reward,
    )
    env.seed(7)
    first, again = env.reset(), env.reset()
    env.seed(7)
    state, reward, done, _info = env.step(env.action_space.sample()) if (env.reset() == first).all() else None
    assert (again != first).any()
    assert (state.shape, reward >= 0, done) == ((3,), True, False)
    assert env._max_episode_steps == 200
    assert isinstance(env.action_space, gym.spaces.Box)
    assert len(d4rl.qlearning_dataset(env)["rewards"]) == len(env.get_dataset()["timeouts"]) == sum(LENGTHS)
    assert [len(one["rewards"]) for one in d4rl.sequence_dataset(env)] == list(LENGTHS)
    assert env.get_normalized_score(np.array([-1500.0, -800.0])).tolist() == [0.0, 0.5]
    assert log.stood_in == {"gym", "d4rl"}
    assert "0 is a return of −1,500.00" in log.lines[0] and "not D4RL's reference" in log.lines[0]


def test_an_episode_that_is_cut_off_is_done_and_says_so(modules: tuple[Any, Any]) -> None:
    env = modules[0].make("Pendulum-v1", max_episode_steps=2)
    env.reset()
    env.step(np.zeros(1, np.float32))
    *_rest, done, info = env.step(np.zeros(1, np.float32))
    assert (done, info["TimeLimit.truncated"]) == (True, True)


def test_what_the_stand_ins_do_not_have_is_named(modules: tuple[Any, Any]) -> None:
    with pytest.raises(AttributeError, match="stand-in for gym has no “vector”"):
        _ = modules[0].vector
    with pytest.raises(ModuleNotFoundError, match=r"no module d4rl\.gym_mujoco"):
        importlib.import_module("d4rl.gym_mujoco")


def test_a_dataset_without_a_reference_is_scored_by_its_own_episodes(tmp_path: Path) -> None:
    manifest = write_pendulum(tmp_path / "v1")
    without = manifest.model_copy(update={"reference": None})
    (tmp_path / "v1" / "dataset.json").write_text(without.model_dump_json())
    found = DatasetColumns(str(tmp_path / "v1")).score_range()
    assert found.named == "worst and best episode of this dataset"
    assert found.low < found.high < 0
    assert found.normalise(found.high) == 1.0


def test_an_environment_that_is_not_installed_is_explained(tmp_path: Path) -> None:
    from rl_lab.capture.d4rl_standin.dataset_env import make

    write_pendulum(tmp_path / "v1", env_id="Absent-v3")
    with pytest.raises(DatasetUnusable) as caught:
        make(DatasetRun("mine", str(tmp_path / "v1"), 100), "mine")
    failure = explain(caught.value, None)  # type: ignore[arg-type]
    assert (failure.cause, "Absent-v3" in failure.message) == ("dataset-unusable", True)
    assert "rl-lab envs" in failure.next_step


def test_a_damaged_column_is_never_unpickled(tmp_path: Path) -> None:
    write_pendulum(tmp_path / "v1")
    np.save(tmp_path / "v1" / "rewards.npy", np.array([{"evil": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(DatasetUnusable, match=r"rewards\.npy"):
        DatasetColumns(str(tmp_path / "v1")).transitions()


def test_the_busiest_optimiser_counts_the_updates(folder: Path) -> None:
    run, actor, critic = DatasetRun("pendulum", str(folder), 100), object(), object()
    for number in range(6):
        run.count_update(critic)
        if number % 2 == 0:
            run.count_update(actor)
    assert run.updates_made() == 6


def test_an_evaluation_is_what_was_played_between_two_updates(folder: Path) -> None:
    run = DatasetRun("pendulum", str(folder), 100)
    reported: list[Any] = []
    run.report = reported.append
    optimizer = object()
    run.count_update(optimizer)
    run.add_episode(-1500.0)
    run.add_episode(-100.0)
    run.count_update(optimizer)
    run.add_episode(-100.0)
    run.end_evaluation()
    run.end_evaluation()
    assert reported == [(1, 2, -800.0, 50.0), (2, 1, -100.0, 100.0)]


def test_of_a_long_run_every_nth_value_is_kept_and_rare_ones_always(folder: Path) -> None:
    run = DatasetRun("pendulum", str(folder), 3 * MAX_POINTS)
    assert [step for step in range(10) if run.keeps(["loss"], step)] == [0, 3, 6, 9]
    assert run.keeps(["d4rl_normalized_score"], 8)


def test_only_a_job_with_a_dataset_gets_stand_ins(folder: Path) -> None:
    config = {"dataset": {"name": "pendulum"}, "total_timesteps": 10}
    found = find_dataset_run({"dataset_dir": str(folder), "config": config})
    assert found is not None and found.name == "pendulum"
    assert find_dataset_run({"config": config}) is None
