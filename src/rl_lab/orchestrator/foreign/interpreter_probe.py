"""Facts about a Python interpreter and a script: asked of the interpreter, never guessed.

Nothing of the script is run or imported; the interpreter runs `guardian/confinement/interpreter_answers.py`. It may
read the system, itself and the script's folder, and write nothing. Its `.pth` files are foreign code and may lie: see
`interpreter_claims.py` for what is accepted. No path in an answer becomes part of a command line.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rl_lab.orchestrator.foreign.confined_pythons import PACKAGE, confined_output
from rl_lab.orchestrator.foreign.interpreter_claims import Claims, read_claims
from rl_lab.orchestrator.foreign.interpreter_folders import (
    environment_of,
    folders_of,
    is_beneath,
    is_system,
    outermost,
    state_of,
)
from rl_lab.orchestrator.foreign.python_shims import behind_shim

PROGRAM = PACKAGE / "rl_lab" / "guardian" / "confinement" / "interpreter_answers.py"
MOST_KNOWN = 256


class Question(NamedTuple):
    python: str
    folder: str
    """The folder with the script's own modules."""
    script: str | None = None
    module: str | None = None
    """Run with -m instead of a script; its file is to be found."""
    given: tuple[str, ...] = ()
    """Modules that the capture layer provides, installed or not."""
    reads: tuple[str, ...] = ()
    """What it may read of the script's folder."""


class Answer(NamedTuple):
    python: str
    """The interpreter that was asked; what it says of its own path is not used."""
    version: str
    own: list[str]
    """Folders of the interpreter, found by the lab."""
    added: list[str]
    """Folders and files elsewhere that it imports from: of `.pth` files, editable installs, PYTHONPATH."""
    missing: list[str]
    file: str | None
    """The script, or the file behind the module."""
    problem: str | None
    """A syntax error, with its line."""
    user_base: str | None
    """The folder for packages installed with `pip --user`."""
    mentioned: list[str]
    """Modules and names that the script uses anywhere."""


class _Known(NamedTuple):
    answer: Answer
    path: list[str]
    state: tuple[object, ...]


_known: dict[tuple[object, ...], _Known] = {}


async def ask(question: Question, env: Mapping[str, str]) -> Answer:
    """InvalidInput when it is not a Python, or too old. An answer is kept until a file that it depends on changes."""
    question = question._replace(python=await behind_shim(question.python, env))
    key = (question, tuple(sorted(env.items())))
    known = _known.get(key)
    if known is not None and known.state == await _state(question, known.path):
        return known.answer
    before = await _state(question, ())
    claims = read_claims(question.python, await _run(question, env), env)
    own = await asyncio.to_thread(folders_of, question.python, env)
    answer = await asyncio.to_thread(_answer, question, claims, own)
    _known.pop(key, None)
    if not answer.missing and not question.module and before == await _state(question, ()):
        # Otherwise asked again: what was missing may be installed by then, and a module may have been moved.
        _known[key] = _Known(answer, claims.path, await _state(question, claims.path))
    while len(_known) > MOST_KNOWN:
        del _known[next(iter(_known))]
    return answer


async def _state(question: Question, path: Sequence[str]) -> tuple[object, ...]:
    return await asyncio.to_thread(state_of, question.python, question.script, path)


def _answer(question: Question, claims: Claims, own: list[str]) -> Answer:
    added = outermost([*_elsewhere(claims, own), *_linked(question.python)])
    file = question.script or _module_file(question, claims, [*own, *added])
    return Answer(
        python=question.python,
        version=claims.version,
        own=own,
        added=added,
        missing=claims.missing,
        file=file,
        problem=claims.problem,
        user_base=claims.user_base,
        mentioned=claims.mentioned,
    )


def _elsewhere(claims: Claims, own: list[str]) -> list[str]:
    """Real paths outside the interpreter, the system and the lab's own code."""
    real = map(os.path.realpath, claims.places)
    return [one for one in real if not (is_beneath(one, own) or is_system(one) or _is_lab_code(one))]


def _linked(python: str) -> list[str]:
    """The environment, where a link on the way to it decides which one it is: the link may be replaced."""
    environment = environment_of(python)
    real = os.path.realpath(environment) if environment is not None else None
    return [real] if real is not None and real != str(environment) else []


def _is_lab_code(path: str) -> bool:
    """A checkout of the lab: its code is readable for every captured script."""
    is_checkout = PACKAGE.name not in ("site-packages", "dist-packages")
    return is_checkout and path in (str(PACKAGE), str(PACKAGE / "rl_lab"))


def _module_file(question: Question, claims: Claims, folders: list[str]) -> str | None:
    """The file behind `-m module`, if it is where this interpreter may import from."""
    if question.module is None or claims.file is None:
        return None
    real = os.path.realpath(claims.file)
    near = [os.path.realpath(one) for one in question.reads]
    return claims.file if is_system(real) or is_beneath(real, [*folders, *near]) else None


async def _run(question: Question, env: Mapping[str, str]) -> bytes:
    asked = {**question._asdict(), "modules": []}
    words = [str(PROGRAM), json.dumps(asked)]
    return await confined_output(question.python, words, env, [*question.reads, str(PROGRAM)])
