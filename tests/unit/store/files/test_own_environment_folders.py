"""Files of environments that the user wrote: numbers are used once, and only the lab's own leftovers are removed."""

from __future__ import annotations

from pathlib import Path

from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders

GRID = OwnEnvironment("grid", 2)


def test_the_number_of_deleted_files_is_still_taken(tmp_path: Path) -> None:
    folders = OwnEnvironmentFolders(tmp_path)
    folders.write(GRID, "x = 1\n")
    folders.remove(GRID)
    assert folders.read(GRID) is None
    assert folders.newest_number("grid") == 2
    folders.write(GRID._replace(version=1), "x = 1\n")
    assert folders.newest_number("grid") == 2
    assert folders.newest_number("other") == 0


def test_files_that_an_older_lab_has_written_keep_their_number(tmp_path: Path) -> None:
    folders = OwnEnvironmentFolders(tmp_path)
    folders.version(GRID).mkdir(parents=True)
    (folders.version(GRID) / "environment.py").write_text("x = 1\n")
    assert folders.newest_number("grid") == 2
    folders.remove(GRID)
    assert folders.newest_number("grid") == 2


def test_a_start_removes_what_was_tried_and_half_written_and_nothing_else(tmp_path: Path) -> None:
    folders = OwnEnvironmentFolders(tmp_path)
    mine, trial = OwnEnvironment("try-it", 1), folders.new_trial()
    for own in (mine, trial):
        folders.write(own, "x = 1\n")
    (folders.path / "try-it" / ".2-00ff").mkdir()
    (folders.path / "try-it" / ".last-00ff").touch()
    folders.tidy_up([])
    assert folders.read(mine) == "x = 1\n"
    assert folders.read(trial) is None
    assert sorted(one.name for one in (folders.path / "try-it").iterdir()) == ["last", "v1"]
    assert [one.name for one in folders.path.iterdir()] == ["try-it"]
