"""Every export is read back by the other side's own library, and imported again to the same contents."""

from __future__ import annotations

import zipfile
from pathlib import Path

import h5py
import minari
import numpy as np
import pandas
import pytest
from support.dataset_files import make_cards, make_dataset, take

from rl_lab.core.datasets.formats import ExportFormat
from rl_lab.worker.datasets.exports import export
from rl_lab.worker.datasets.reading import OpenDataset


def write(dataset: OpenDataset, format: ExportFormat, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return export(dataset, format, folder / "made-up-v3", lambda _: None)


@pytest.mark.parametrize("nested", [False, True])
def test_minari_loads_its_export(tmp_path: Path, nested: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = make_dataset(tmp_path / "d", nested=nested, infos=True)
    made = write(dataset, "minari", tmp_path / "out")
    zipfile.ZipFile(made).extractall(tmp_path / "minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    loaded = minari.load_dataset("made-up-v3")
    assert (loaded.total_episodes, loaded.total_steps) == (3, 9)
    assert loaded.spec.env_spec is not None and loaded.spec.env_spec.kwargs == {"wind": 2}
    assert [found.get("seed") for found in loaded.storage.get_episode_metadata(range(3))] == [100, 101, None]
    for index, episode in enumerate(loaded.iterate_episodes()):
        expected = dataset.episode(index)
        np.testing.assert_array_equal(episode.rewards, expected.rewards)
        np.testing.assert_array_equal(episode.actions, expected.actions)
        np.testing.assert_array_equal(episode.terminations, expected.terminations)
        np.testing.assert_array_equal(episode.infos["place"], expected.infos["place"])
        if nested:
            assert loaded.observation_space["seen"][1].shape == (40, 32, 3)
            np.testing.assert_array_equal(episode.observations["seen"][1], expected.observations["seen"][1])
        else:
            np.testing.assert_array_equal(episode.observations, expected.observations)
    again = take(tmp_path / "minari" / "made-up-v3", tmp_path / "again")
    assert again.manifest.sha256 == dataset.manifest.sha256
    assert take(made, tmp_path / "zipped").manifest.sha256 == dataset.manifest.sha256
    assert (again.manifest.licence, again.manifest.source) == ("MIT", "made for a test")


@pytest.mark.parametrize("nested", [False, True])
def test_h5py_reads_hdf5_in_d4rls_form(tmp_path: Path, nested: bool) -> None:
    dataset = make_dataset(tmp_path / "d", nested=nested)
    made = write(dataset, "hdf5", tmp_path)
    with h5py.File(made) as file:
        assert {"actions", "rewards", "terminals", "timeouts", "next_observations"} <= set(file)
        np.testing.assert_array_equal(
            file["terminals"][()] | file["timeouts"][()], [0, 0, 1, 1, 0, 0, 0, 0, 1]
        )
        if not nested:
            rows = dataset.observation_rows()
            np.testing.assert_array_equal(file["next_observations"], dataset.observations[rows + 1])
    assert take(made, tmp_path / "again").manifest.sha256 == dataset.manifest.sha256


def test_numpy_reads_npz(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", infos=True)
    made = write(dataset, "npz", tmp_path)
    with np.load(made, allow_pickle=False) as file:
        np.testing.assert_array_equal(file["rewards"], dataset.columns["rewards"])
        np.testing.assert_array_equal(file["observations"], dataset.observations[dataset.observation_rows()])
        assert file["infos.place"].shape == (9, 2)
    assert list(take(made, tmp_path / "again").lengths) == [3, 1, 5]
    plain = make_dataset(tmp_path / "plain")
    again = take(write(plain, "npz", tmp_path / "out"), tmp_path / "plain-again")
    assert again.manifest.sha256 == plain.manifest.sha256


@pytest.mark.parametrize("nested", [False, True])
def test_pandas_reads_steps_from_parquet(tmp_path: Path, nested: bool) -> None:
    dataset = make_dataset(tmp_path / "d", nested=nested)
    made = write(dataset, "parquet", tmp_path)
    table = pandas.read_parquet(made)
    assert list(table.episode) == [0, 0, 0, 1, 2, 2, 2, 2, 2]
    assert list(table.step) == [0, 1, 2, 0, 0, 1, 2, 3, 4]
    np.testing.assert_array_equal(table.reward, dataset.columns["rewards"])
    if not nested:
        np.testing.assert_array_equal(
            np.stack(table.next_observation), dataset.observations[dataset.observation_rows() + 1]
        )
    assert take(made, tmp_path / "again").manifest.sha256 == dataset.manifest.sha256


@pytest.mark.parametrize("nested", [False, True])
def test_pandas_reads_trajectories_from_parquet(tmp_path: Path, nested: bool) -> None:
    dataset = make_dataset(tmp_path / "d", nested=nested, infos=True)
    made = write(dataset, "trajectories", tmp_path)
    table = pandas.read_parquet(made)
    assert list(table.length) == [3, 1, 5] and list(table.seed) == [100, 101, -1]
    np.testing.assert_allclose(table["return"], dataset.returns)
    assert [len(rewards) for rewards in table.rewards] == [3, 1, 5]
    assert take(made, tmp_path / "again").manifest.sha256 == dataset.manifest.sha256


@pytest.mark.parametrize("format", ["minari", "parquet", "trajectories", "hdf5", "npz"])
def test_tuples_are_exported_and_imported_again(tmp_path: Path, format: ExportFormat) -> None:
    dataset = make_cards(tmp_path / "d")
    made = write(dataset, format, tmp_path / "out")
    assert take(made, tmp_path / "again").manifest.sha256 == dataset.manifest.sha256
