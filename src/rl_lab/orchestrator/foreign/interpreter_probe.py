"""Facts about a Python interpreter and a script: asked of the interpreter, never guessed.

Nothing of the script is run or imported; the interpreter runs `guardian/confinement/interpreter_answers.py`, and may
only read.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.guardian.confinement.confined_exec import BECOME
from rl_lab.guardian.files import Confinement, Launch, write_record
from rl_lab.orchestrator.foreign.isolation import probe

PACKAGE = Path(__file__).resolve().parents[3]
PROGRAM = PACKAGE / "rl_lab" / "guardian" / "confinement" / "interpreter_answers.py"
TIMEOUT_S = 20.0
OLDEST = (3, 10)
FIELD = "params.command"


class Question(NamedTuple):
    python: str
    folder: str
    """The folder with the script's own modules."""
    script: str | None = None
    module: str | None = None
    """Run with -m instead of a script; its file is to be found."""
    given: tuple[str, ...] = ()
    """Modules that the capture layer provides, installed or not."""


class Answer(NamedTuple):
    executable: str
    """The interpreter that really runs, when the given one is a shim that chooses one."""
    version: str
    prefixes: list[str]
    """Folders it imports from."""
    missing: list[str]
    file: str | None
    """The script, or the file behind the module."""
    problem: str | None
    """A syntax error, with its line."""
    user_base: str | None
    """The folder for packages installed with `pip --user`."""
    mentioned: list[str]
    """Modules and names that the script uses anywhere."""


_known: dict[tuple[Any, ...], Answer] = {}


async def ask(question: Question, env: Mapping[str, str]) -> Answer:
    """InvalidInput when it is not a Python, or too old."""
    key = (question, _changed_at(question.python), _changed_at(question.script), tuple(sorted(env.items())))
    found = _known.get(key)
    if found is None or found.missing or question.module:
        # What was missing may be installed by now, and a module may have been moved.
        found = _known[key] = _read(question.python, await _run(question, env))
    return found


async def _run(question: Question, env: Mapping[str, str]) -> bytes:
    """The interpreter and its variables are not approved yet, so it may only read."""
    held = await asyncio.to_thread(probe)
    asked = {
        "folder": question.folder,
        "script": question.script,
        "module": question.module,
        "given": question.given,
    }
    launch = Launch(
        argv=[question.python, str(PROGRAM), json.dumps(asked)],
        env=dict(env),
        confine=Confinement(landlock=held.landlock, seccomp=held.seccomp, reads=["/"]),
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-S",
        "-c",
        BECOME,
        str(PACKAGE),
        cwd="/",
        start_new_session=True,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(write_record(launch)), TIMEOUT_S)
    except TimeoutError:
        raise _wrong(
            f"{question.python} did not answer within {TIMEOUT_S:.0f} s; name another interpreter."
        ) from None
    finally:
        if process.returncode is None:
            # With the processes it started: it has its own process group.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    return out


def _read(python: str, out: bytes) -> Answer:
    wanted = ".".join(map(str, OLDEST))
    try:
        answer: dict[str, Any] = json.loads(out)
        if "trouble" in answer:
            raise _wrong(f"{python} cannot be started: {answer['trouble']}.")
        version = tuple(answer["version"])
    except (ValueError, KeyError, TypeError):
        raise _wrong(f"{python} does not answer like a Python of version {wanted} or newer.") from None
    if version < OLDEST:
        raise _wrong(f"{python} is Python {'.'.join(map(str, version))}; scripts need {wanted} or newer.")
    folders = [*answer["prefixes"], *answer["path"], str(Path(answer["real_executable"]).parent)]
    user_base = answer["user_base"] if answer["user_base"] and Path(answer["user_base"]).is_dir() else None
    if user_base:
        # Of ~/.local only the folders of Python: next to them are the keys and tokens of other programs.
        folders += [str(Path(user_base) / name) for name in ("bin", "lib", "lib64")]
    return Answer(
        answer["executable"] or python,
        ".".join(map(str, version)),
        outermost(folders),
        answer["missing"],
        answer["file"],
        answer["problem"],
        user_base,
        answer["mentioned"],
    )


def outermost(folders: list[str]) -> list[str]:
    """Each folder once, without those inside another one; missing ones are left out."""
    kept: list[str] = []
    for folder in sorted({str(Path(f)) for f in folders if Path(f).exists()}):
        if not any(folder.startswith(one.rstrip("/") + "/") for one in kept):
            kept.append(folder)
    return kept


def _changed_at(path: str | None) -> int:
    try:
        return Path(path).stat().st_mtime_ns if path else 0
    except OSError:
        return 0


def _wrong(message: str) -> InvalidInput:
    return InvalidInput.of_field(FIELD, message)
