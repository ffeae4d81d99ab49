"""Saved code on the command line: the name of a file, and the choice that the lab gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.fake_lab import FakeLab

from rl_lab.cli.arguments.code_argument import compiler_lines, find_saved, name_of, read_code
from rl_lab.core.errors import InvalidInput
from rl_lab.core.own_environments import MAIN_FILE
from rl_lab.core.workbench.code_files import join_files
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeRemark

SOURCES = {
    CodeKind.reward: "def reward_function(obs):\n    return 1.0\n",
    CodeKind.evaluation: "def evaluate(episode):\n    return {'x': 1.0}\n",
}
SAVED = {"name": "soft", "version": 3, "sha256": "a" * 64, "source": "", "note": ""}
CHOICE = {"name": "soft", "version": 3, "sha256": "a" * 64}


@pytest.mark.parametrize("kind", CodeKind)
def test_a_file_without_a_usable_name_is_named_by_its_kind(kind: CodeKind) -> None:
    assert name_of(Path("---.py"), kind) == kind
    assert name_of(Path("soft landing.py"), kind) == "soft landing"


@pytest.mark.parametrize(("kind", "address"), [("reward", "rewards"), ("evaluation", "evaluation-codes")])
def test_a_file_is_saved_and_a_name_is_looked_up(kind: str, address: str, tmp_path: Path) -> None:
    file = tmp_path / "soft.py"
    file.write_text(SOURCES[CodeKind(kind)])
    answers: dict[str, Any] = {
        f"POST /api/{address}": SAVED,
        f"GET /api/{address}/soft/versions/3": SAVED,
    }
    lab: Any = FakeLab(answers)
    assert find_saved(lab, CodeKind(kind), str(file), env_id="CartPole-v1", quiet=True) == CHOICE
    body = {"name": "soft", "source": file.read_text(), "env_id": "CartPole-v1"}
    assert lab.sent("POST") == [(f"/api/{address}", body)]
    assert find_saved(lab, CodeKind(kind), "soft@v3", quiet=True) == CHOICE
    assert find_saved(lab, CodeKind(kind), None, quiet=True) is None


def test_the_line_under_a_remark_is_the_one_that_python_counts() -> None:
    remark = CodeRemark(line=2, message="Wrong.")
    assert compiler_lines([remark], "f.py", "x = '\u2028\x0c'\r\nwrong()\n")[1] == "    wrong()"


def test_a_file_of_a_megabyte_is_refused_with_its_size(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text("# words\n" * (1 << 17))
    with pytest.raises(InvalidInput, match="1,024 KiB; at most 256 KiB"):
        read_code(file, CodeKind.reward)


@pytest.mark.parametrize("main", ["environment.py", "__init__.py"])
def test_a_remark_about_a_folder_names_the_file_and_its_line(tmp_path: Path, main: str) -> None:
    (tmp_path / main).write_text("from rules import START\n")
    source = join_files({MAIN_FILE: "from rules import START\n", "rules.py": "START = 1\nwrong()\n"})
    remarks = [CodeRemark(line=2, message="A"), CodeRemark(line=6, message="B"), CodeRemark(message="C")]
    first, _, second, shown, third = compiler_lines(remarks, str(tmp_path), source)
    assert first == f"{tmp_path}/{main}:1: error: A"
    assert (second, shown) == (f"{tmp_path}/rules.py:2: error: B", "    wrong()")
    assert third == f"{tmp_path}: error: C"


def test_a_remark_about_one_file_of_several_parts_has_its_own_line(tmp_path: Path) -> None:
    file = tmp_path / "both.py"
    file.write_text(join_files({MAIN_FILE: "x = 1\n", "rules.py": "wrong()\n"}))
    (line, _) = compiler_lines([CodeRemark(line=5, message="A")], str(file), file.read_text())
    assert line == f"{file}:5: error: A"
