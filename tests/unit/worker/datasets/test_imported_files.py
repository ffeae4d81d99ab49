"""Files of other tools become the same steps that they hold."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import h5py
import minari
import numpy as np
import pandas
import pytest
from gymnasium import spaces
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_storage import MinariStorage
from support.dataset_files import d4rl_arrays, take

from rl_lab.core.errors import InvalidInput, StorageFull
from rl_lab.worker.datasets.formats import rows
from rl_lab.worker.datasets.formats.recognise import open_source
from rl_lab.worker.datasets.intake.checksums import Checksum
from rl_lab.worker.datasets.intake.taking_in import ImportPlan, take_in
from rl_lab.worker.datasets.reading import OpenDataset


def write(path: Path, arrays: dict[str, Any]) -> Path:
    if path.suffix == ".npz":
        np.savez(path, **arrays)
    else:
        with h5py.File(path, "w") as file:
            for name, values in arrays.items():
                file.create_dataset(name, data=values, compression="gzip")
    return path


def transitions(dataset: OpenDataset) -> list[Any]:
    """Observation, action, reward and the observation after it, of each step."""
    at = dataset.observation_rows()
    columns = (
        dataset.observations[at],
        dataset.actions,
        dataset.columns["rewards"],
        dataset.observations[at + 1],
    )
    return [tuple(np.asarray(part).tolist() for part in step) for step in zip(*columns, strict=True)]


@pytest.mark.parametrize("suffix", [".npz", ".hdf5"])
def test_d4rl_without_next_observations_keeps_all_but_the_last_truncated_step(
    tmp_path: Path, suffix: str
) -> None:
    dataset = take(write(tmp_path / f"d{suffix}", d4rl_arrays()), tmp_path / "d")
    assert list(dataset.lengths) == [10, 9]
    assert list(np.flatnonzero(dataset.columns["terminations"])) == [9]
    assert list(np.flatnonzero(dataset.columns["truncations"])) == [18]
    assert dataset.observations.dtype == np.float32
    assert "The last step of 1 episode was left out" in " ".join(dataset.manifest.notes)


def test_d4rl_with_next_observations_keeps_every_step(tmp_path: Path) -> None:
    arrays = d4rl_arrays()
    after = np.roll(arrays["observations"], -1, axis=0)
    after[[9, 19]] = 7.0
    dataset = take(write(tmp_path / "d.npz", {**arrays, "next_observations": after}), tmp_path / "d")
    expected = zip(arrays["observations"], arrays["actions"], arrays["rewards"], after, strict=True)
    assert transitions(dataset) == [tuple(part.tolist() for part in step) for step in expected]


def test_an_end_that_only_next_observations_show_is_found(tmp_path: Path) -> None:
    arrays = d4rl_arrays()
    after = np.roll(arrays["observations"], -1, axis=0)
    after[[4, 9]] = 7.0
    dataset = take(write(tmp_path / "d.npz", {**arrays, "next_observations": after}), tmp_path / "d")
    assert list(dataset.lengths) == [5, 5, 10]
    assert "1 further end" in " ".join(dataset.manifest.notes)


def test_ogbench_terminals_end_trajectories_and_masks_say_success(tmp_path: Path) -> None:
    arrays = d4rl_arrays()
    last = np.isin(np.arange(20), [9, 19])
    raw = {
        "observations": arrays["observations"],
        "actions": arrays["actions"],
        "terminals": last.astype("f4"),
    }
    dataset = take(write(tmp_path / "raw.npz", raw), tmp_path / "raw")
    assert list(dataset.lengths) == [9, 9] and not dataset.columns["terminations"].any()
    compact = {
        **raw,
        "terminals": np.isin(np.arange(20), [8, 9, 18, 19]).astype("f4"),
        "valids": (~last).astype("f4"),
        "masks": (np.arange(20) != 18).astype("f4"),
    }
    again = take(write(tmp_path / "compact.npz", compact), tmp_path / "compact")
    assert [step[0] for step in transitions(again)] == [step[0] for step in transitions(dataset)]
    assert list(np.flatnonzero(again.columns["terminations"])) == [17]
    assert list(np.flatnonzero(again.columns["truncations"])) == [8]
    regular = {**{name: values[~last] for name, values in compact.items() if name != "valids"}}
    regular["next_observations"] = arrays["observations"][1:][~last[:-1]]
    third = take(write(tmp_path / "regular.npz", regular), tmp_path / "regular")
    assert third.manifest.sha256 == again.manifest.sha256


def test_parts_of_any_size_give_the_same_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "d.npz", d4rl_arrays(60))
    whole = take(path, tmp_path / "whole")
    for size in (1, 60, 150, 400):
        monkeypatch.setattr(rows, "PART_BYTES", size)
        assert take(path, tmp_path / f"d{size}").manifest.sha256 == whole.manifest.sha256


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables_name_their_columns(tmp_path: Path, suffix: str) -> None:
    arrays = d4rl_arrays()
    columns = {f"obs_{number}": arrays["observations"][:, number] for number in range(3)}
    table = pandas.DataFrame(
        {
            **columns,
            "action": np.arange(20) % 3,
            "reward": arrays["rewards"],
            "episode": np.arange(20) // 5,
            "seed": 4,
        }
    )
    path = tmp_path / f"d{suffix}"
    table.to_csv(path, index=False) if suffix == ".csv" else table.to_parquet(path)
    dataset = take(path, tmp_path / "d")
    assert list(dataset.lengths) == [4, 4, 4, 4] and list(dataset.seeds) == [4, 4, 4, 4]
    assert dataset.manifest.action_space == {"type": "Discrete", "n": 3, "start": 0, "dtype": "int64"}
    np.testing.assert_allclose(dataset.observations, arrays["observations"])


def test_minari_writes_what_the_lab_reads(tmp_path: Path) -> None:
    """Pictures come as JPEG, texts and options are left out, an episode without options keeps its seed."""
    space = spaces.Dict(
        {
            "picture": spaces.Box(0, 255, (32, 32, 3), np.uint8),
            "mission": spaces.Text(8),
            "pair": spaces.Tuple([spaces.Discrete(3)]),
        }
    )
    storage = MinariStorage.new(tmp_path, space, spaces.Discrete(2), data_format="hdf5")
    frames = np.full((4, 32, 32, 3), 90, np.uint8)
    observations = {"picture": frames, "mission": ["go", "go", "on", "on"], "pair": (np.array([0, 1, 2, 1]),)}
    common = {
        "observations": observations,
        "actions": np.array([0, 1, 0]),
        "rewards": [1.0, 2.0, 3.0],
        "terminations": [False, False, True],
        "truncations": [False, False, False],
    }
    storage.update_episodes(
        [
            EpisodeBuffer(id=0, seed=5, infos={"speed": np.arange(4.0), "name": ["a"] * 4}, **common),
            EpisodeBuffer(id=1, seed=6, options={"easy": True}, **common),
        ]
    )
    about = {"dataset_id": "made/up-v0", "minari_version": minari.__version__}
    storage.update_metadata({**about, "ref_min_score": 0.0, "ref_max_score": 9.0})
    dataset = take(tmp_path, tmp_path / "d")
    assert abs(dataset.observations["picture"].astype(int) - 90).max() <= 2
    np.testing.assert_array_equal(dataset.observations["pair"][0], [0, 1, 2, 1] * 2)
    assert list(dataset.seeds) == [5, -1] and list(dataset.columns["infos.speed"][:4]) == [0, 1, 2, 3]
    assert np.isnan(dataset.columns["infos.speed"][4:]).all()
    assert dataset.manifest.reference is not None and dataset.manifest.reference.high == 9
    notes = " ".join(dataset.manifest.notes)
    assert "observations/mission" in notes and "options" in notes and "name" in notes


def test_the_environment_gives_the_spaces_or_is_named_in_the_refusal(tmp_path: Path) -> None:
    arrays = d4rl_arrays()
    fitting = {**arrays, "actions": arrays["actions"][:, :1] * 9}
    dataset = take(write(tmp_path / "p.npz", fitting), tmp_path / "p", env_id="Pendulum-v1")
    assert dataset.manifest.action_space["high"] == 2.0 and dataset.manifest.env_id == "Pendulum-v1"
    assert "numbers of the actions are outside their space" in " ".join(dataset.manifest.notes)
    with pytest.raises(InvalidInput, match=r"its actions are float32 \[2\], the environment has Box\(1\)"):
        take(write(tmp_path / "q.npz", arrays), tmp_path / "q", env_id="Pendulum-v1")
    assert not (tmp_path / "q").exists()


def test_numbers_that_are_none_are_imported_and_counted(tmp_path: Path) -> None:
    arrays = d4rl_arrays()
    arrays["observations"][3, 1] = np.nan
    arrays["observations"][4, 0] = np.inf
    dataset = take(write(tmp_path / "d.npz", arrays), tmp_path / "d")
    assert np.isnan(dataset.observations[3, 1])
    assert "2 numbers of the observations are NaN or infinite." in dataset.manifest.notes


def test_the_progress_counts_the_steps_of_an_episode_that_has_not_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = d4rl_arrays() | {"terminals": np.zeros(20, bool)}
    path = write(tmp_path / "d.npz", arrays)
    monkeypatch.setattr(rows, "PART_BYTES", 100)
    source, seen = open_source(path), [0]
    take_in(source, tmp_path / "d", ImportPlan("d"), None, seen.append)
    assert (source.unit, source.total, seen[-1]) == ("step", 20, 20)
    assert len(set(seen)) > 4 and seen == sorted(seen)


def test_a_wrong_checksum_or_too_little_space_leaves_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "d.npz", d4rl_arrays())
    right = hashlib.sha256(path.read_bytes()).hexdigest()

    def taken(**plan: Any) -> Any:
        with Checksum(path) as checksum:
            return take_in(
                open_source(path), tmp_path / "d", ImportPlan(path.name, **plan), checksum, lambda _: None
            )

    with pytest.raises(InvalidInput, match="not 0000"):
        taken(sha256="0" * 64)
    with pytest.raises(StorageFull, match="Nothing was written"):
        taken(allowed_bytes=100)
    assert not (tmp_path / "d").exists()
    assert taken(sha256=right.upper()).sources[0].sha256 == right


def test_metadata_may_name_no_class(tmp_path: Path) -> None:
    """An env_spec is read as data: its entry point is not imported."""
    path = write(tmp_path / "d.npz", d4rl_arrays())
    own = json.dumps(
        {"env_id": 3, "env_kwargs": [], "observation_space": {"type": ["Box"]}, "action_space": 1}
    )
    with np.load(path) as file:
        np.savez(tmp_path / "e.npz", **file, rl_lab=np.frombuffer(own.encode(), np.uint8))
    assert take(tmp_path / "e.npz", tmp_path / "e").manifest.env_id == ""


def test_arrays_of_unequal_length_are_refused_by_name(tmp_path: Path) -> None:
    arrays = d4rl_arrays()
    for name, shown in (("observations", "20 rows"), ("rewards", "10 rows")):
        other = "actions" if name == "observations" else name
        np.savez(tmp_path / "uneven.npz", **{**arrays, other: arrays[other][:10]})
        with pytest.raises(InvalidInput, match=f"“{name}” has {shown}, but there are"):
            take(tmp_path / "uneven.npz", tmp_path / "d")
        with h5py.File(tmp_path / "uneven.hdf5", "w") as file:
            for key, values in {**arrays, other: arrays[other][:10]}.items():
                file[key] = values
        with pytest.raises(InvalidInput, match=f"“{name}” has {shown}, but there are"):
            take(tmp_path / "uneven.hdf5", tmp_path / "d")


def test_a_column_with_text_is_refused_by_name(tmp_path: Path) -> None:
    table = tmp_path / "steps.csv"
    table.write_text("episode,obs_0,obs_1,action_0,reward,done\n0,1,2,3,0,0\n0,1,lost,2,3,1\n")
    with pytest.raises(InvalidInput, match="“obs_1” holds something else than numbers"):
        take(table, tmp_path / "d")
    table.write_text("episode,obs_0,action_0,reward,done,comment\n0,1,3,0,0,good\n0,1,2,3,1,bad\n")
    assert take(table, tmp_path / "e").manifest.transitions == 2


@pytest.mark.parametrize("ending", ["npz", "hdf5"])
def test_a_file_without_rows_is_refused_by_name(tmp_path: Path, ending: str) -> None:
    arrays = {name: values[:0] for name, values in d4rl_arrays().items()}
    path = tmp_path / f"nothing.{ending}"
    if ending == "npz":
        np.savez(path, **arrays)
    else:
        with h5py.File(path, "w") as file:
            for key, values in arrays.items():
                file[key] = values
    with pytest.raises(InvalidInput, match=f"nothing.{ending} has no rows"):
        take(path, tmp_path / "d")
