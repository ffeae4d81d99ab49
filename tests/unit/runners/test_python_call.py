"""Command lines that start Python, taken apart; files are looked at in the integration tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.foreign import ForeignParams, absolute
from rl_lab.runners.python_call import not_python, parse_call, require_module_name


def refusal(*words: str) -> str:
    with pytest.raises(InvalidInput) as caught:
        parse_call(ForeignParams(command=list(words), folder="/somewhere"))
    return caught.value.detail


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), "command is empty"),
        (("python",), "no script"),
        (("python", "-u", "-X", "dev"), "no script"),
        (("python", "--version"), "runs no script"),
        (("python", "-c", "print(1)"), "save it as a script"),
        (("python", "-"), "save it as a script"),
        (("python", "-m", "not-a-module"), "not the name of a module"),
        (("python", "train.py"), "The script /somewhere/train.py does not exist"),
        (("python9.9", "train.py"), "The Python interpreter “python9.9” was not found"),
        (("bash", "train.sh"), "--protocol"),
        (("uv", "run", "--with", "rich", "train.py"), "without options of uv"),
        (("conda", "run", "python", "train.py"), "name the interpreter"),
        (("ls", "-l"), "is a program, not a Python script"),
    ],
)
def test_what_cannot_be_captured_is_refused_with_the_next_step(words: tuple[str, ...], expected: str) -> None:
    assert expected in refusal(*words)


def test_options_of_python_stay_with_python() -> None:
    words = ["python", "-u", "-X", "dev", "-Wignore", "-m", "package.train", "-m", "--seed", "1"]
    call = parse_call(ForeignParams(command=words, folder="/"))
    assert call.options == ["-u", "-X", "dev", "-Wignore"]
    assert (call.module, call.script) == ("package.train", None)
    assert call.args == ["-m", "--seed", "1"] and call.target == ["-m", "package.train"]


@pytest.mark.parametrize(
    ("name", "head", "words"),
    [
        ("train.ipynb", b"{}", "notebook"),
        ("train.py", b"\x7fELF\0\0", "binary"),
        ("train", b"#!/bin/sh\necho", "#!/bin/sh"),
        ("train.sh", b"echo 1", ".sh"),
    ],
)
def test_a_file_that_is_not_python_is_told_by_its_name_or_its_first_bytes(
    name: str, head: bytes, words: str
) -> None:
    assert words in (not_python(Path(name), head) or "")


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("train.py", b"import torch"),
        ("train", b"#!/usr/bin/env python3\n"),
        ("train", b"import x"),
        ("t.py", b""),
    ],
)
def test_python_files_pass(name: str, head: bytes) -> None:
    assert not_python(Path(name), head) is None


def test_relative_paths_need_the_folder_they_were_typed_in() -> None:
    assert absolute("../a.py", ForeignParams(folder="/x/y"), "params.command") == Path("/x/a.py")
    with pytest.raises(InvalidInput, match="absolute"):
        absolute("a.py", ForeignParams(), "params.command")
    assert require_module_name("a.b_c") == "a.b_c"


@pytest.mark.parametrize("words", [("uv", "run", "python"), ("uv", "run"), ("poetry", "run", "python")])
def test_the_interpreter_of_the_project_is_used(tmp_path: Path, words: tuple[str, ...]) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "train.py").write_text("print(1)")
    params = ForeignParams(command=[*words, "train.py", "--seed", "1"], folder=str(tmp_path / "sub"))
    call = parse_call(params)
    assert (call.python, call.script, call.args) == (
        str(python),
        tmp_path / "sub" / "train.py",
        ["--seed", "1"],
    )


def test_a_project_without_an_interpreter_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    params = ForeignParams(command=["poetry", "run", "python", "a.py"], folder=str(tmp_path))
    with pytest.raises(InvalidInput, match="poetry install"):
        parse_call(params)
