"""Neptune's export, written by pyarrow in the schema of `neptune-exporter`, becomes runs of the lab."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.neptune import BEGAN, attribute, exported_run, point, write_export

from rl_lab.analysis.adoption import neptune_files
from rl_lab.analysis.adoption.neptune_files import find_runs, read_neptune
from rl_lab.analysis.adoption.pieces import Piece
from rl_lab.orchestrator.adoption.reader.keeper import Keeper
from rl_lab.orchestrator.adoption.reader.sources import look_into
from rl_lab.orchestrator.adoption.reader.walk import Walk


def walk(folder: Path) -> tuple[list[str], list[str]]:
    """Paths of the runs below the folder, and the problems."""
    problems: list[str] = []
    found = [path for path in Walk("/nowhere", problems.append).through(str(folder)) if path]
    return [path.removeprefix(f"{folder}/") for path in found], problems


def read(path: Path, run: str) -> list[Piece]:
    with path.open("rb") as file:
        pieces = [read_neptune(file, 0, {"run": run})]
        while not pieces[-1].is_complete:
            pieces.append(read_neptune(file, pieces[-1].offset, pieces[-1].memo))
    return pieces


def keep(home: Path, path: str) -> tuple[Keeper, list[str]]:
    problems: list[str] = []
    source = look_into(path)
    assert source is not None and source.format == "neptune"
    keeper = Keeper(home, "r1", problems.append)
    keeper.advance(source)
    return keeper, problems


def test_two_runs_in_one_file_are_two_runs(tmp_path: Path) -> None:
    path = write_export(tmp_path / "all.parquet", exported_run("CAR-1") + exported_run("CAR-2", points=4))
    names = ["all.parquet#team/cartpole/CAR-1", "all.parquet#team/cartpole/CAR-2"]
    assert walk(tmp_path) == (names, [])
    [piece] = read(path, "team/cartpole/CAR-2")
    assert piece.facts.failure == "Neptune noted that it failed."
    assert piece.curves["rollout/ep_rew_mean"].values.tolist() == [0.0, 1.5, 3.0, 4.5]


def test_series_parameters_tags_name_and_start_are_read(tmp_path: Path) -> None:
    [piece] = read(
        write_export(tmp_path / "CAR-1_part_0.parquet", exported_run("CAR-1")), "team/cartpole/CAR-1"
    )
    facts = piece.facts
    assert (facts.title, facts.began, facts.tags) == (
        "ppo of CAR-1",
        BEGAN.timestamp(),
        ["baseline", "paper"],
    )
    assert (facts.env_id, facts.algorithm, facts.seed) == ("CartPole-v1", "ppo", 7)
    assert facts.args == {"env_id": "CartPole-v1", "algo": "PPO", "seed": 7, "learning_rate": 0.0003}
    assert facts.has_ended and not facts.failure and not piece.problems
    assert set(piece.curves) == {"rollout/ep_rew_mean", "train/value_loss"}
    loss = piece.curves["train/value_loss"]
    assert loss.steps.tolist() == [step * 100 for step in range(10)]
    assert loss.times.tolist() == [BEGAN.timestamp() + step * 100 for step in range(10)]
    assert math.isinf(loss.values[3]) and math.isnan(loss.values[4]) and loss.values[5] == 0.5


def test_the_parts_of_a_run_make_one_run_under_the_names_of_the_lab(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    write_export(folder / "CAR-1_part_0.parquet", exported_run("CAR-1"))
    more = [point("CAR-1", "train/value_loss", step * 100, 0.25) for step in range(10, 15)]
    write_export(folder / "CAR-1_part_1.parquet", more)
    assert walk(folder) == (["CAR-1_part_0.parquet#team/cartpole/CAR-1"], [])
    keeper, problems = keep(tmp_path, f"{folder}/CAR-1_part_0.parquet#team/cartpole/CAR-1")
    assert problems == [] and keeper.memory.claimed.keys() == {"mean_reward", "value_loss"}
    assert keeper.memory.standing.timestep == 1400 and keeper.facts.title == "ppo of CAR-1"
    assert keeper.not_finite == {"value_loss": (2, 300)}


def test_a_large_file_is_read_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neptune_files, "PIECE_ROWS", 20)
    path = write_export(tmp_path / "a.parquet", exported_run("CAR-1", points=50), row_group_size=10)
    pieces = read(path, "team/cartpole/CAR-1")
    assert len(pieces) == 6
    values = [v for piece in pieces if (c := piece.curves.get("rollout/ep_rew_mean")) for v in c.values]
    assert values == [step * 1.5 for step in range(50)]


def test_runs_of_the_same_id_in_two_projects_stay_apart(tmp_path: Path) -> None:
    rows = [*exported_run("one"), attribute("one", "string", "sys/name", "another", project="team/other")]
    path = write_export(tmp_path / "a.parquet", rows)
    with path.open("rb") as file:
        assert find_runs(file) == ["team/cartpole/one", "team/other/one"]
    [piece] = read(path, "team/cartpole/one")
    assert piece.facts.title == "ppo of one"


def test_steps_that_are_no_whole_numbers_are_reported(tmp_path: Path) -> None:
    path = write_export(tmp_path / "a.parquet", [point("x", "loss", 1.5, 2.0), point("x", "loss", 2, 1.0)])
    [piece] = read(path, "team/cartpole/x")
    assert piece.curves["loss"].steps.tolist() == [1, 2] and piece.facts.title == "x"
    assert piece.problems == ["Some of its steps are not whole numbers; they were rounded down."]


def test_a_damaged_file_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    write_export(tmp_path / "CAR-1_part_0.parquet", exported_run("CAR-1"))
    cut = write_export(tmp_path / "CAR-2_part_0.parquet", exported_run("CAR-2"))
    cut.write_bytes(cut.read_bytes()[:-100])
    (tmp_path / "other.parquet").write_bytes(b"something else")
    found, problems = walk(tmp_path)
    assert found == ["CAR-1_part_0.parquet#team/cartpole/CAR-1"]
    assert problems == [f"{cut}: it is damaged or no Parquet file; it was left out."]


def test_damaged_rows_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    path = write_export(tmp_path / "CAR-1_part_0.parquet", exported_run("CAR-1", 200), row_group_size=100)
    data = bytearray(path.read_bytes())
    data[4:1500] = bytes(1496)
    path.write_bytes(data)
    assert walk(tmp_path) == (["CAR-1_part_0.parquet#team/cartpole/CAR-1"], [])
    [piece] = read(path, "team/cartpole/CAR-1")
    assert "Rows that cannot be read were left out" in piece.problems[0]
    assert len(piece.curves["train/value_loss"]) == 200


def test_a_file_with_no_readable_rows_is_reported(tmp_path: Path) -> None:
    path = write_export(tmp_path / "all.parquet", exported_run("CAR-1"))
    data = bytearray(path.read_bytes())
    data[4:1000] = bytes(996)
    path.write_bytes(data)
    found, [problem] = walk(tmp_path)
    assert found == [] and problem.startswith(f"{path}: it cannot be read as Parquet (")


def test_a_cut_second_part_is_reported_and_the_first_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    write_export(folder / "CAR-1_part_0.parquet", exported_run("CAR-1"))
    (folder / "CAR-1_part_1.parquet").write_bytes(b"PAR1 cut")
    [found], problems = walk(folder)
    keeper, more = keep(tmp_path, f"{folder}/{found}")
    assert problems == [] and len(more) == 1 and "part_1.parquet: It cannot be read as Parquet" in more[0]
    assert keeper.memory.points > 0


def test_missing_parts_are_reported(tmp_path: Path) -> None:
    write_export(tmp_path / "a_part_1.parquet", exported_run("a"))
    for number in (0, 2):
        write_export(tmp_path / f"b_part_{number}.parquet", exported_run("b"))
    found, problems = walk(tmp_path)
    assert found == ["b_part_0.parquet#team/cartpole/b"]
    assert problems == [
        f"{tmp_path}/a_part_0.parquet: this first part of an export is missing; the others were left out.",
        f"{tmp_path}/b_part_1.parquet: this part of an export is missing; those after it were left out.",
    ]
