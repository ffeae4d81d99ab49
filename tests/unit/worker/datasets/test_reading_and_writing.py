from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from gymnasium import spaces

from rl_lab.core.datasets.manifest import MANIFEST_FILE
from rl_lab.core.errors import AlreadyExists, InvalidInput, NotFound
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.reading import open_dataset
from rl_lab.worker.datasets.spaces import space_difference, space_from_json, space_to_json
from rl_lab.worker.datasets.writing import DatasetWriter

NESTED = spaces.Dict(
    {"goal/x": spaces.Box(-1, 1, (2,)), "both": spaces.Tuple([spaces.Discrete(3), spaces.MultiBinary(2)])}
)


def episode(length: int, first: float = 0.0) -> EpisodeArrays:
    seen = np.arange(length + 1, dtype=np.float32)[:, None] + np.float32(first) + np.zeros((1, 3), np.float32)
    ended = np.arange(length) == length - 1
    return EpisodeArrays(
        observations=seen,
        actions=np.arange(length) % 2,
        rewards=np.full(length, 0.5),
        terminations=ended,
        truncations=np.zeros(length, bool),
    )


def writer(folder: Path, **options: object) -> DatasetWriter:
    given = {"observation_space": spaces.Box(-9, 99, (3,)), "action_space": spaces.Discrete(2), **options}
    return DatasetWriter(folder, env_id="CartPole-v1", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "space",
    [
        spaces.Box(np.array([-1, -np.inf], np.float32), np.array([1, np.inf], np.float32)),
        spaces.Box(0, 255, (2, 2, 3), np.uint8),
        spaces.Discrete(5, start=2),
        spaces.MultiDiscrete([3, 2], start=[1, 0]),
        spaces.MultiBinary([2, 2]),
        NESTED,
    ],
    ids=str,
)
def test_a_space_comes_back_from_json(space: spaces.Space) -> None:
    assert space_from_json(json.loads(json.dumps(space_to_json(space)))) == space


def test_a_text_space_is_refused_with_what_to_do() -> None:
    with pytest.raises(InvalidInput, match="Text space") as refused:
        space_to_json(spaces.Dict({"mission": spaces.Text(9)}))
    assert "Wrap" in str(refused.value.next_step)


def test_the_difference_of_two_spaces_is_named() -> None:
    one, other = space_to_json(NESTED), space_to_json(NESTED)
    assert space_difference(one, other) is None
    other["spaces"]["both"]["spaces"][0]["n"] = 4
    assert space_difference(one, other) == "in “both”: in “0”: n 3 against 4"


def test_episodes_come_back_as_they_were_written(tmp_path: Path) -> None:
    made = writer(tmp_path / "v1", who=True)
    made.add_episode(episode(3), seed=7, number=4)
    made.add_episode(episode(1, first=10.0))
    manifest = made.finish(notes=["One was left out."])
    opened = open_dataset(tmp_path / "v1")
    assert opened.manifest == manifest
    assert (manifest.episodes, manifest.transitions) == (2, 4)
    assert opened.returns.tolist() == [1.5, 0.5]
    assert opened.seeds.tolist() == [7, -1]
    assert opened.episode(1).observations[:, 0].tolist() == [10.0, 11.0]
    assert opened.observation_rows().tolist() == [0, 1, 2, 4]
    with pytest.raises(ValueError, match="read-only"):
        opened.column("rewards")[0] = 1


def test_nested_spaces_have_one_file_per_leaf(tmp_path: Path) -> None:
    made = writer(tmp_path / "v1", observation_space=NESTED)
    one = episode(2)
    both = (np.zeros(3, np.int64), np.ones((3, 2), np.int8))
    seen = {"goal/x": np.ones((3, 2), np.float32), "both": both}
    made.add_episode(EpisodeArrays(seen, one.actions, one.rewards, one.terminations, one.truncations))
    made.finish()
    assert (tmp_path / "v1" / "observations.goal%2Fx.npy").is_file()
    found = open_dataset(tmp_path / "v1").episode(0).observations
    assert found["goal/x"].tolist() == [[1, 1]] * 3
    assert found["both"][1].tolist() == [[1, 1]] * 3


def test_pieces_of_an_episode_and_whole_ones_give_the_same_contents(tmp_path: Path) -> None:
    whole, pieces, many = (writer(tmp_path / name) for name in ("a", "b", "c"))
    one = episode(4)
    whole.add_episode(one)
    for start in (0, 2):
        rows = slice(start, start + 2)
        pieces.add_steps(
            EpisodeArrays(
                one.observations[start : start + 3],
                one.actions[rows],
                one.rewards[rows],
                one.terminations[rows],
                one.truncations[rows],
            )
        )
    pieces.end_episode()
    columns = {
        name: getattr(one, name)
        for name in ("observations", "actions", "rewards", "terminations", "truncations")
    }
    many.add_columns(columns, np.array([4]))
    assert whole.finish().sha256 == pieces.finish().sha256 == many.finish().sha256


def test_a_folder_without_its_last_file_is_no_dataset_and_is_begun_again(tmp_path: Path) -> None:
    with writer(tmp_path / "v1") as made:
        made.add_episode(episode(3))
        made.finish()
    (tmp_path / "v1" / MANIFEST_FILE).unlink()
    with pytest.raises(NotFound, match="not a complete dataset"):
        open_dataset(tmp_path / "v1")
    again = writer(tmp_path / "v1")
    again.add_episode(episode(1))
    assert again.finish().episodes == 1
    with pytest.raises(AlreadyExists):
        writer(tmp_path / "v1")


def test_what_does_not_fit_the_space_is_refused(tmp_path: Path) -> None:
    narrow = spaces.Box(0, 1, (2,))
    message = r"observations: a row has the shape \[3\], its space says \[2\]"
    with (
        writer(tmp_path / "v1", observation_space=narrow) as made,
        pytest.raises(InvalidInput, match=message),
    ):
        made.add_episode(episode(2))
    assert not (tmp_path / "v1").exists()
    with writer(tmp_path / "v2") as empty, pytest.raises(InvalidInput, match="no episode"):
        empty.finish()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "rewards.npy").unlink(), "rewards.npy is missing"),
        (lambda f: (f / "actions.npy").write_bytes(b"no array"), "actions.npy is damaged"),
        (lambda f: np.save(f / "rewards.npy", np.zeros(2)), "rewards.npy holds"),
        (lambda f: np.save(f / "rewards.npy", np.array([{}]), allow_pickle=True), "rewards.npy is damaged"),
        (lambda f: edit(f, ("columns", 0, "name"), "../secret"), "not a name of a column"),
        (lambda f: add_column(f, "more", 3), "“more”, which is not a name of a column"),
        (lambda f: add_column(f, "infos.more", 20_000), "infos.more.npy of no values has 160,128 bytes"),
        (lambda f: edit(f, ("observation_space", "shape"), [4]), "spaces and episodes ask for"),
        (lambda f: edit(f, ("action_space", "type"), "Text"), "space of actions"),
        (lambda f: (f / MANIFEST_FILE).write_text("{"), "dataset.json of v1 is damaged"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, damage: object, message: str) -> None:
    made = writer(tmp_path / "v1")
    made.add_episode(episode(3))
    made.finish()
    damage(tmp_path / "v1")  # type: ignore[operator]
    with pytest.raises(InvalidInput, match=message):
        open_dataset(tmp_path / "v1")


def edit(folder: Path, place: tuple[str | int, ...], value: object) -> None:
    manifest = json.loads((folder / MANIFEST_FILE).read_text())
    part = manifest
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest))


def add_column(folder: Path, name: str, count: int) -> None:
    """One that dataset.json says to be empty."""
    np.save(folder / f"{name}.npy", np.zeros(count))
    manifest = json.loads((folder / MANIFEST_FILE).read_text())
    rows = manifest["transitions"] + manifest["episodes"]
    size = (folder / f"{name}.npy").stat().st_size
    column = {"name": name, "dtype": "<f8", "shape": [rows, 0], "size": size, "sha256": ""}
    edit(folder, ("columns",), [*manifest["columns"], column])
