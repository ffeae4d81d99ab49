"""Commands of foreign runs: shown before they run, agreed to, and made into what the guardian executes.

The server reads and hashes files; it never imports or runs a script to learn about it.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import rl_lab
from rl_lab.core.commands import Command, CommandPreview, Consent, Interpreter
from rl_lab.core.errors import ConsentNeeded, InvalidInput
from rl_lab.core.jobs import JobConfig, TrainConfig
from rl_lab.guardian.files import Launch
from rl_lab.orchestrator.foreign.interpreter_probe import Answer, Question, ask
from rl_lab.orchestrator.foreign.isolation import confinement_of, isolation
from rl_lab.orchestrator.foreign.own_pythons import has_module
from rl_lab.orchestrator.foreign.process_variables import program_variables, scratch_folders
from rl_lab.orchestrator.worker_calls import worker_variables
from rl_lab.orchestrator.writing import Writing
from rl_lab.portable.failures import PACKAGES
from rl_lab.runners.foreign import OWN_FOLDERS, ForeignRunner, RunPaths
from rl_lab.runners.program import is_system_tool
from rl_lab.runners.python_call import PYTHON
from rl_lab.runners.registry import load_runner
from rl_lab.runners.script import START
from rl_lab.settings import Settings
from rl_lab.store import consents

FIELD = "params.command"
NOT_YET = "new-run"
"""Stands for the id a run does not have yet."""
CHUNK = 1 << 20
SECRET = re.compile("KEY|TOKEN|SECRET|PASSW")
HIDDEN = "…"
PACKAGE = Path(rl_lab.__file__).parent
"""Our own files, of which a captured script loads some."""


class Resolved(NamedTuple):
    """A command with all that was found out about it."""

    command: Command
    sha256: str
    answer: Answer | None
    """Of the interpreter; None for a program."""

    @property
    def interpreter(self) -> Interpreter | None:
        if self.answer is None:
            return None
        return Interpreter(
            path=self.command.argv[0],
            version=self.answer.version,
            prefixes=self.answer.prefixes,
            missing=self.answer.missing,
        )


class Commands:
    def __init__(self, settings: Settings, writing: Writing) -> None:
        self._settings = settings
        self._home: Path = settings.home_path
        self._db = writing.db
        self._write = writing.write

    async def preview(self, config: TrainConfig) -> CommandPreview:
        """What a new run would execute; InvalidInput when it cannot be."""
        paths = run_paths(self._home, NOT_YET)
        found = await self.resolve(config, paths)
        if found is None:
            raise InvalidInput.of_field(
                "runner", f"Runs of “{config.runner}” are the lab's own code; nothing to show."
            )
        env = variables_of(found, paths, {"RL_LAB_ATTEMPT": ""})
        known = await self._db.read(lambda conn: consents.exists(conn, found.sha256))
        level, note = await asyncio.to_thread(isolation)
        return CommandPreview(
            command=without_secrets(found.command),
            interpreter=found.interpreter,
            sha256=found.sha256,
            is_consented=known,
            isolation=level,
            isolation_note=note,
            variables=sorted(env),
            problems=problems_of(found),
        )

    async def resolve(self, config: JobConfig, paths: RunPaths) -> Resolved | None:
        """None when the run is the lab's own code."""
        runner = load_runner(config.runner) if isinstance(config, TrainConfig) else None
        if not isinstance(runner, ForeignRunner) or not isinstance(config, TrainConfig):
            return None
        command = await asyncio.to_thread(runner.command, config, paths)
        answer = None
        if PYTHON.fullmatch(Path(command.argv[0]).name):
            answer = await ask(question_of(command, config), {**worker_variables(), **command.env})
            command = answered(command, answer)
        return Resolved(command, await asyncio.to_thread(sha256_of, command), answer)

    async def require_consent(self, config: JobConfig, given: str | None = None) -> None:
        """ConsentNeeded unless somebody agreed to the file as it is now; an agreement given here is remembered."""
        found = await self.resolve(config, run_paths(self._home, NOT_YET))
        if found is None:
            return
        what = found.command.script or " ".join(found.command.shown)
        if given == found.sha256:
            await self._write(lambda conn: consents.put(conn, found.sha256, what))
        elif given is not None:
            raise ConsentNeeded(
                f"{what} has changed since it was shown; what was agreed to is not what would run now.",
                next_step="Look at the command again and agree to it as it is now.",
            )
        elif not await self._db.read(lambda conn: consents.exists(conn, found.sha256)):
            raise ConsentNeeded(
                f"Nobody has agreed yet that {what}, as it is now, may run here.",
                next_step="Ask for the command (`rl-lab run`, POST /api/commands/preview), and agree to its hash.",
            )

    async def launch(
        self, own: Launch, found: Resolved, paths: RunPaths, marker: Mapping[str, str]
    ) -> Launch:
        """launch.json of a foreign program; makes the folders it works in."""
        reads = [*found.command.reads, str(PACKAGE), str(paths.job)]
        if found.answer is not None:
            reads += found.answer.prefixes
        confined = found.command.model_copy(update={"reads": reads})
        await asyncio.to_thread(make_folders, paths.run_dir)
        secret, env = secrets_of(found.command), variables_of(found, paths, marker)
        return own._replace(
            argv=found.command.argv,
            cwd=found.command.cwd,
            env={name: value for name, value in env.items() if name not in secret},
            inherit=sorted(secret),
            confine=await asyncio.to_thread(confinement_of, confined, self._settings),
        )

    async def list_consents(self) -> list[Consent]:
        return await self._db.read(consents.list_all)

    async def withdraw_consent(self, sha256: str) -> None:
        await self._write(lambda conn: consents.drop(conn, sha256))


def run_paths(home: Path, run_id: str, attempt: int = 1) -> RunPaths:
    run_dir = home / "runs" / run_id
    return RunPaths(home, run_dir, run_dir / "attempts" / str(attempt) / "job.json")


def make_folders(run_dir: Path) -> None:
    for folder in (*(run_dir / name for name in OWN_FOLDERS), *scratch_folders(run_dir).values()):
        folder.mkdir(parents=True, exist_ok=True)


def secrets_of(command: Command) -> set[str]:
    """Variables of the lab's own that a program is given and no file or page is told."""
    given = {name for name, value in command.env.items() if os.environ.get(name) == value}
    return {name for name in given if SECRET.search(name)}


def without_secrets(command: Command) -> Command:
    hidden = dict.fromkeys(secrets_of(command), HIDDEN)
    return command.model_copy(update={"env": {**command.env, **hidden}})


def variables_of(found: Resolved, paths: RunPaths, marker: Mapping[str, str]) -> dict[str, str]:
    """Everything the program will see."""
    user_base = found.answer.user_base if found.answer else None
    return program_variables(found.command, paths.run_dir, marker, user_base)


def answered(command: Command, answer: Answer) -> Command:
    """The command with what its interpreter said: which one really runs, and which file a module is."""
    changes: dict[str, Any] = {
        "argv": [answer.executable, *command.argv[1:]],
        "shown": [answer.executable, *command.shown[1:]],
    }
    if str(START) in command.argv:
        if answer.file is None:
            module = command.shown[command.shown.index("-m") + 1]
            raise InvalidInput.of_field(FIELD, f"{answer.executable} finds no module “{module}” to run.")
        changes["script"] = answer.file
    return command.model_copy(update=changes)


def question_of(command: Command, config: TrainConfig) -> Question:
    """What is asked of the interpreter: the words after the capture layer say what it would run."""
    argv = command.argv
    if str(START) not in argv:
        return Question(argv[0], "")
    target = argv[argv.index(str(START)) + 3 :]
    given = ("wandb",) if config.params.get("wandb", "stand-in") == "stand-in" else ()
    if target[0] == "-m":
        return Question(argv[0], str(config.params.get("folder", "")), None, target[1], given)
    return Question(argv[0], str(Path(target[0]).parent), target[0], None, given)


def sha256_of(command: Command) -> str:
    """Of the file that is agreed to; of the words where there is none.

    Nobody agreed to other words for a tool (`bash -c … file`), nor to another program of that name: where a program
    that is not captured comes before the file, its options count, and its own contents unless it is the system's.
    """
    if command.script is None:
        return hashlib.sha256(_words(command.shown)).hexdigest()
    digest = hashlib.sha256()
    program = Path(command.argv[0])
    if str(START) not in command.argv and str(program) != command.script:
        before = command.shown[1 : command.shown.index(command.script)]
        if before:
            digest.update(_words(before) + b"\0")
        if not is_system_tool(program):
            _add_file(digest, str(program))
    _add_file(digest, command.script)
    return digest.hexdigest()


def _words(words: Sequence[str]) -> bytes:
    return "\0".join(words).encode("utf-8", "surrogateescape")


def _add_file(digest: hashlib._Hash, path: str) -> None:
    try:
        with Path(path).open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise InvalidInput.of_field(FIELD, f"{path} cannot be read: {error.strerror}.") from None


def problems_of(found: Resolved) -> list[str]:
    """What will probably go wrong, each with its remedy."""
    if found.answer is None:
        return []
    problems = []
    if found.answer.problem is not None:
        problems.append(
            f"{found.command.script}, {found.answer.problem}. Python would not run it; correct it."
        )
    if found.answer.missing:
        names = ", ".join(found.answer.missing)
        packages = " ".join(shlex.quote(package_of(name)) for name in found.answer.missing)
        problems.append(
            f"This Python lacks {names}, which the script imports. "
            f"Install: {found.command.argv[0]} -m pip install {packages}"
            f"{_other_python(found.command, found.answer.missing)}"
        )
    return problems


def _other_python(command: Command, missing: Sequence[str]) -> str:
    """Where the lab's own Python has it all, that is the quicker way."""
    if command.argv[0] == sys.executable or not all(map(has_module, missing)):
        return ""
    return f" – or let the lab's own Python run it: {sys.executable}"


def package_of(module: str) -> str:
    return PACKAGES.get(module, module.replace("_", "-"))
