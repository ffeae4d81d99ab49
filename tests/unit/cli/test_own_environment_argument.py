"""What counts as code of an environment on the command line, and what is an id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.fake_lab import FakeLab

from rl_lab.cli.arguments.own_environment_argument import is_code_path, with_saved_environment
from rl_lab.core.errors import InvalidInput


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("CartPole-v1", "ALE/Pong-v5", "grid", "package", "deep/grid"):
        Path(folder).mkdir(parents=True)
    code = ("environment.py", "grid/environment.py", "package/__init__.py", "deep/grid/environment.py")
    for file in (*code, "deep/one.txt"):
        Path(file).touch()


@pytest.mark.parametrize(
    "written", ["CartPole-v1", "ALE/Pong-v5", "ALE/Other-v5", "own:grid-v1", "Acrobot-v1", "", None]
)
def test_a_folder_that_has_no_environment_is_an_id(written: str | None) -> None:
    assert not is_code_path(written)


@pytest.mark.parametrize(
    "written", ["grid", "./grid", "package", "deep/grid", "deep/one.txt", "grid/", "new.py"]
)
def test_files_and_folders_with_an_environment_are_code(written: str) -> None:
    assert is_code_path(written)


@pytest.mark.parametrize("written", ["./CartPole-v1", "CartPole-v1/", "../"])
def test_what_can_only_be_a_path_is_one(written: str) -> None:
    """So that the message says what the folder lacks."""
    assert is_code_path(written)


def test_a_training_in_a_file_that_fails_names_its_line(tmp_path: Path) -> None:
    source = "import gymnasium\nwrong()\n"
    file = tmp_path / "broken.py"
    file.write_text(source)
    remark = {"level": "error", "message": "NameError: name 'wrong' is not defined", "line": 2}
    saved = {"name": "broken", "version": 1, "source": source}
    lab: Any = FakeLab(
        {"POST /api/own-environments": {**saved, "check": {"is_usable": False, "remarks": [remark]}}}
    )
    with pytest.raises(InvalidInput) as refused:
        with_saved_environment(lab, {"env_id": str(file)}, yes=False, quiet=True)
    assert refused.value.detail.splitlines() == [
        f"{file} cannot be used.",
        f"{file}:2: error: NameError: name 'wrong' is not defined",
        "    wrong()",
    ]
