"""Parses a command line that starts Python: interpreter, its options, script or module, arguments.

Files are read, never run. A command that is not Python is refused with the next step.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.portable.regular_files import open_regular
from rl_lab.runners.foreign import ForeignParams, absolute
from rl_lab.runners.project_pythons import is_project_run, unwrap

PYTHON = re.compile(r"(python|pypy)[0-9.]*t?(\.exe)?$")
WITH_VALUE = frozenset({"-X", "-W", "--check-hash-based-pycs"})
NOTHING_TO_RUN = frozenset({"-V", "-VV", "-h", "-?", "--version", "--help", "--help-all", "--help-env"})
STARTERS = frozenset(
    {"uv", "poetry", "pdm", "hatch", "pipenv", "conda", "mamba", "pixi", "rye", "torchrun", "accelerate"}
)
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "fish", "ksh"})
MAX_SCRIPT_BYTES = 16 << 20
FIELD = "params.command"
PROTOCOL = "With --protocol you can run any program that prints the lines of the worker protocol."


class PythonCall(NamedTuple):
    python: str
    """Absolute path; links are not resolved, because a virtual environment is found through them."""
    options: list[str]
    script: Path | None
    module: str | None
    """Either script or module is set."""
    args: list[str]

    @property
    def target(self) -> list[str]:
        return [str(self.script)] if self.script is not None else ["-m", str(self.module)]


def parse_call(params: ForeignParams, python: str = "") -> PythonCall:
    """Parses `params.command`; `python` replaces the interpreter that the command names."""
    words = params.command
    if not words or not words[0].strip():
        raise InvalidInput.of_field(FIELD, "The command is empty; e.g. python train.py --seed 1.")
    if is_project_run(words):
        words = unwrap(words, params)
    first = Path(words[0]).name
    if PYTHON.fullmatch(first):
        return _with_python(python or words[0], words[1:], params)
    _refuse_other(words, first)
    script = require_script(absolute(words[0], params, FIELD))
    return PythonCall(find_python(python or sys.executable, params), [], script, None, words[1:])


def find_python(word: str, params: ForeignParams) -> str:
    """The interpreter that a word names: a path, or a name searched for like a shell does."""
    found = shutil.which(word) if "/" not in word else str(absolute(word, params, FIELD))
    if found is None and word in ("python", "python3"):
        return sys.executable
    if found is None or not Path(found).is_file():
        raise InvalidInput.of_field(
            FIELD,
            f"The Python interpreter “{word}” was not found; give its full path, e.g. {sys.executable}.",
        )
    if not PYTHON.fullmatch(Path(found).name):
        raise InvalidInput.of_field(FIELD, f"“{found}” does not have the name of a Python interpreter.")
    return found


def _with_python(python: str, rest: list[str], params: ForeignParams) -> PythonCall:
    options, rest = _split_options(rest)
    found = find_python(python, params)
    if not rest:
        raise InvalidInput.of_field(FIELD, "The command names no script; e.g. python train.py.")
    word, *args = rest
    if word == "-m" or (word.startswith("-m") and not word.startswith("--")):
        module, args = (word[2:], args) if word != "-m" else (args[0] if args else "", args[1:])
        return PythonCall(found, options, None, require_module_name(module), args)
    if word == "-c" or word == "-" or word.startswith("-c"):
        raise InvalidInput.of_field(
            FIELD, "Code after -c or from stdin cannot be captured; save it as a script."
        )
    return PythonCall(found, options, require_script(absolute(word, params, FIELD)), None, args)


def _split_options(words: list[str]) -> tuple[list[str], list[str]]:
    """Python's own options, and what comes after them."""
    options: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-" and rest[0][:2] not in ("-m", "-c"):
        word = rest.pop(0)
        if word in NOTHING_TO_RUN:
            raise InvalidInput.of_field(FIELD, f"`python {word}` runs no script; e.g. python train.py.")
        if word == "--":
            break
        options.append(word)
        if word in WITH_VALUE and rest:
            options.append(rest.pop(0))
    return options, rest


def require_module_name(module: str) -> str:
    if not all(part.isidentifier() for part in module.split(".")):
        raise InvalidInput.of_field(
            FIELD, f"“{module}” is not the name of a module; e.g. python -m package.train."
        )
    return module


def require_script(path: Path) -> Path:
    """Checks by name and first bytes that the file is Python."""
    if path.is_dir():
        raise InvalidInput.of_field(
            FIELD, f"{path} is a folder; name the script in it, or python -m its module."
        )
    try:
        with open_regular(path) as file:
            head = file.read(4096)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        raise InvalidInput.of_field(FIELD, f"The script {path} does not exist; check the path.") from None
    except OSError as error:
        raise InvalidInput.of_field(FIELD, f"{path} cannot be read: {error.strerror}.") from None
    reason = not_python(path, head) or ("it is too large for a script" if size > MAX_SCRIPT_BYTES else None)
    if reason is not None:
        raise InvalidInput.of_field(FIELD, f"{path} is not a Python script: {reason}. {PROTOCOL}")
    return path


def not_python(path: Path, head: bytes) -> str | None:
    """Why a file with these first bytes is not Python; None when it may be."""
    if path.suffix == ".ipynb":
        return "it is a notebook (`jupyter nbconvert --to script` converts it)"
    if b"\0" in head:
        return "it is a binary file"
    first = head.split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    if first.startswith("#!") and "python" not in first and "pypy" not in first:
        return f"its first line is {first}"
    if path.suffix not in (".py", ".pyw", "") and not first.startswith("#!"):
        return f"its name ends with {path.suffix}"
    return None


def _refuse_other(words: list[str], first: str) -> None:
    if first in STARTERS:
        raise InvalidInput.of_field(
            FIELD,
            f"`{' '.join(words[:2])}` starts Python itself, so it cannot be captured; name the interpreter it "
            "would use, e.g. .venv/bin/python train.py.",
        )
    if first in SHELLS:
        raise InvalidInput.of_field(
            FIELD, f"{first} runs a shell script, not Python; name the Python script it starts. {PROTOCOL}"
        )
    if "/" not in words[0] and not first.endswith(".py") and shutil.which(first):
        raise InvalidInput.of_field(FIELD, f"{first} is a program, not a Python script. {PROTOCOL}")
