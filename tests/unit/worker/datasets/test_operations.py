"""What jobs on datasets do to files: split, merge, prune, check, verify, and the figures of a version."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from support.dataset_files import d4rl_arrays, take

from rl_lab.core.datasets.manifest import EpisodeSource
from rl_lab.core.datasets.operations import DatasetConfig, MergeDataset, PruneDataset, SplitDataset
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets import job
from rl_lab.worker.datasets.checking import check
from rl_lab.worker.datasets.collecting import add_noise, counts_of
from rl_lab.worker.datasets.fingerprints import find_duplicates, find_not_finite
from rl_lab.worker.datasets.packing import to_recording
from rl_lab.worker.datasets.progress import StoppedEarly, WorkCount
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset
from rl_lab.worker.datasets.selecting import merge, prune, split
from rl_lab.worker.datasets.statistics import complete_version, statistics_of
from rl_lab.worker.datasets.step_writer import StepWriter
from rl_lab.worker.datasets.verifying import verify
from rl_lab.worker.datasets.version_inputs import VersionInput
from rl_lab.worker.datasets.writing import DatasetWriter
from rl_lab.worker.rendering.simulation import Simulation

ENV_ID = "CartPole-v1"


def play(folder: Path, seeds: list[int | None], env_id: str = ENV_ID) -> OpenDataset:
    """Episodes of random actions; those of equal seeds are equal."""
    env = gymnasium.make(env_id)
    sources = [EpisodeSource(kind="policy", label="random")]
    with DatasetWriter(
        folder,
        observation_space=env.observation_space,
        action_space=env.action_space,
        env_id=env_id,
        sources=sources,
    ) as writer:
        steps = StepWriter(writer)
        for number, seed in enumerate(seeds):
            env.action_space.seed(seed)
            steps.begin(env.reset(seed=seed)[0])
            is_over = False
            while not is_over:
                action = env.action_space.sample()
                observation, reward, terminated, truncated, _ = env.step(action)
                steps.add(action, observation, float(reward), terminated=terminated, truncated=truncated)
                is_over = terminated or truncated
            steps.end(seed=seed, source=0, number=number)
        writer.finish()
    env.close()
    return open_dataset(folder)


class FakeSession:
    """A session whose job reads these versions."""

    def __init__(self, *datasets: OpenDataset, stops: bool = False) -> None:
        versions = [
            VersionInput(name=f"d{n}", version=1, sha256=one.manifest.sha256, folder=one.folder)
            for n, one in enumerate(datasets)
        ]
        self.versions = versions
        self.job = SimpleNamespace(inputs={"versions": [one.model_dump(mode="json") for one in versions]})
        self.reports: list[dict[str, Any]] = []
        self.telemetry = SimpleNamespace(status=lambda _, **fields: self.reports.append(fields))
        self.timestep = 0
        self._stops = stops

    def should_stop(self) -> bool:
        return self._stops


def session(*datasets: OpenDataset, stops: bool = False) -> Any:
    return FakeSession(*datasets, stops=stops)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> OpenDataset:
    """The third episode is the first one again; the last one has no known seed."""
    return play(tmp_path_factory.mktemp("played") / "v1", [1, 2, 1, 3, None])


def test_a_split_and_a_merge_keep_every_episode(played: OpenDataset, tmp_path: Path) -> None:
    parts, reads = [tmp_path / "0", tmp_path / "1"], session(played)
    wanted = SplitDataset(name="a", rest="b", of={"name": "d0"}, share=0.6)
    split(reads, wanted, parts)
    assert reads.reports[-1] == {"timestep": 5, "total": 5, "unit": "episode"}
    both = [open_dataset(part) for part in parts]
    assert [len(one) for one in both] == [3, 2]
    merge(session(*both), MergeDataset(name="c", of=[{"name": "a"}, {"name": "b"}]), tmp_path / "2")
    merged = open_dataset(tmp_path / "2")
    assert sorted(merged.column("episode_numbers").tolist()) == [0, 1, 2, 3, 4]
    assert merged.column("episode_sources").tolist() == [0, 0, 0, 1, 1]
    for index, number in enumerate(merged.column("episode_numbers")):
        assert (merged.episode(index).observations == played.episode(int(number)).observations).all()


def test_a_split_that_leaves_nothing_is_refused(played: OpenDataset, tmp_path: Path) -> None:
    wanted = SplitDataset(name="a", rest="b", of={"name": "d0"}, share=0.01)
    with pytest.raises(InvalidInput, match="leaves one part empty"):
        split(session(played), wanted, [tmp_path / "0", tmp_path / "1"])


def test_what_differs_is_named_when_datasets_cannot_be_merged(played: OpenDataset, tmp_path: Path) -> None:
    other = play(tmp_path / "other", [1], "MountainCar-v0")
    operation = MergeDataset(name="c", of=[{"name": "d0"}, {"name": "d1"}])
    with pytest.raises(InvalidInput, match="environment CartPole-v1 against MountainCar-v0"):
        merge(session(played, other), operation, tmp_path / "2")


def test_pruning_drops_what_was_asked_for(played: OpenDataset, tmp_path: Path) -> None:
    of = {"name": "d0"}
    prune(session(played), PruneDataset(name="a", of=of, drop_duplicates=True), tmp_path / "0")
    assert open_dataset(tmp_path / "0").column("episode_numbers").tolist() == [0, 1, 3, 4]
    prune(session(played), PruneDataset(name="a", of=of, best=1), tmp_path / "1")
    assert open_dataset(tmp_path / "1").returns.tolist() == [played.returns.max()]
    with pytest.raises(InvalidInput, match="Its returns are between"):
        prune(session(played), PruneDataset(name="a", of=of, return_min=1e6), tmp_path / "2")


def test_notes_name_the_version_that_they_are_about(tmp_path: Path) -> None:
    arrays = d4rl_arrays()
    arrays["observations"][2, 0] = np.nan
    np.savez(tmp_path / "nan.npz", **arrays)
    imported = take(tmp_path / "nan.npz", tmp_path / "v1")
    prune(session(imported), PruneDataset(name="a", of={"name": "d0"}, drop_not_finite=True), tmp_path / "0")
    notes = open_dataset(tmp_path / "0").manifest.notes
    assert "d0@v1: 1 number of the observations is NaN or infinite." in notes
    assert len(notes) == len(imported.manifest.notes)


def test_a_stopped_job_leaves_nothing(played: OpenDataset, tmp_path: Path) -> None:
    with pytest.raises(StoppedEarly):
        prune(session(played, stops=True), PruneDataset(name="a", of={"name": "d0"}), tmp_path / "0")
    assert not (tmp_path / "0").exists()


def test_every_seeded_episode_comes_back(played: OpenDataset) -> None:
    found = verify(played, WorkCount(session(), 4))
    assert (found.outcome, found.checked, found.unseeded) == ("identical", 4, 1)


def test_the_first_step_that_differs_is_named(played: OpenDataset) -> None:
    seen = played.column("observations").copy()
    row = int(played.starts[1]) + 1 + 3
    seen[row] += 1
    changed = OpenDataset(played.folder, played.manifest, {**played.columns, "observations": seen})
    found = verify(changed, WorkCount(session(), 4))
    assert (found.outcome, found.episode, found.step) == ("different", 1, 3)
    assert "observations" in found.message


def test_what_cannot_be_verified_says_why(played: OpenDataset) -> None:
    unseeded = {**played.columns, "episode_seeds": np.full(5, -1)}
    found = verify(OpenDataset(played.folder, played.manifest, unseeded), WorkCount(session(), 0))
    assert (found.outcome, found.unseeded) == ("impossible", 5)
    elsewhere = played.manifest.model_copy(update={"env_id": "NoSuchRobot-v1"})
    found = verify(OpenDataset(played.folder, elsewhere, played.columns), WorkCount(session(), 0))
    assert "NoSuchRobot-v1 cannot be created" in found.message


def test_a_check_names_the_file(tmp_path: Path) -> None:
    dataset = play(tmp_path / "v1", [1, 2])
    [version] = session(dataset).versions
    assert check(session(), version) == ("intact", "")
    data = bytearray((tmp_path / "v1" / "rewards.npy").read_bytes())
    data[-1] ^= 1
    (tmp_path / "v1" / "rewards.npy").write_bytes(data)
    assert check(session(), version).message.startswith("rewards.npy does not have its checksum")
    (tmp_path / "v1" / "actions.npy").unlink()
    assert check(session(), version) == ("missing", "actions.npy is missing.")


def test_figures_of_a_version(played: OpenDataset) -> None:
    found = statistics_of(complete_version(played.folder))
    assert (found.terminated, found.truncated, found.duplicates) == (5, 0, 1)
    assert sum(found.actions[0].counts) == played.manifest.transitions
    assert sum(found.returns.counts) == 5
    assert found.state_coverage is not None
    assert 0 < found.state_coverage < 1
    assert sum(map(sum, found.state_map)) == played.manifest.transitions + 5
    reference = open_dataset(played.folder).manifest.reference
    assert reference is not None
    assert (reference.low, reference.high) == (played.returns.min(), played.returns.max())


def test_a_hundred_thousand_tiny_episodes_with_nan_and_duplicates(tmp_path: Path) -> None:
    count = 100_000
    with DatasetWriter(
        tmp_path / "v1",
        observation_space=gymnasium.spaces.Box(-1, 1, (2,)),
        action_space=gymnasium.spaces.Box(-1, 1, (1,)),
    ) as writer:
        seen = np.random.default_rng(0).random((2 * count, 2), np.float32)
        seen[2], seen[7, 1] = seen[0], np.nan
        actions = np.arange(count, dtype=np.float32)[:, None]
        actions[1] = actions[0]
        columns = {
            "observations": seen,
            "actions": actions,
            "rewards": np.ones(count),
            "terminations": np.ones(count, bool),
            "truncations": np.zeros(count, bool),
        }
        writer.add_columns(columns, np.ones(count, int))
        writer.finish()
    dataset = open_dataset(tmp_path / "v1")
    assert np.flatnonzero(find_duplicates(dataset)).tolist() == [1]
    counts, episodes = find_not_finite(dataset)
    assert (counts, np.flatnonzero(episodes).tolist()) == ({"observations": 1}, [3])


def test_an_episode_is_simulated_again_from_its_seed(played: OpenDataset) -> None:
    recording = to_recording(played, 1)
    simulation = Simulation(recording, render=False)
    simulation.advance_to(recording.count)
    simulation.close()
    assert simulation.returned == played.returns[1]
    assert simulation.parted_at is None
    assert (simulation.observation == played.episode(1).observations[-1]).all()


def test_episodes_are_shared_out_and_noise_stays_within_bounds() -> None:
    assert counts_of([3, 1], 8) == [6, 2]
    assert counts_of([1, 1, 1], 10) == [4, 3, 3]
    rng = np.random.default_rng(0)
    space = gymnasium.spaces.Box(-2, 2, (1,))
    noisy = [float(add_noise(np.array([1.9]), space, 0.5, rng)[0]) for _ in range(50)]
    assert max(noisy) == 2
    assert len(set(noisy)) > 10
    assert add_noise(1, gymnasium.spaces.Discrete(2), 0.0, rng) == 1


def test_a_job_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_the_disk(_: Any, __: Any, folders: list[Path]) -> None:
        folders[0].mkdir(parents=True)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(job, "_write", fill_the_disk)
    given = session()
    given.files_dir = tmp_path
    given.config = DatasetConfig(operation=PruneDataset(name="a", of={"name": "d0"}))
    with pytest.raises(OSError, match="No space left"):
        job.work(given)
    assert list(tmp_path.iterdir()) == []
