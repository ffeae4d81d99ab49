"""Commands of foreign runs: shown before they run, and turned into the order that the guardian executes.

The server reads and hashes files; it never imports or runs a script to learn about it.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import rl_lab
from rl_lab.core.commands import Command, CommandPreview, Interpreter
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.guardian.files import Launch
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.foreign.agreements import Agreement, agreement_of, changes_between, is_captured
from rl_lab.orchestrator.foreign.interpreter_probe import Answer, Question, ask
from rl_lab.orchestrator.foreign.isolation import confinement_of, isolation
from rl_lab.orchestrator.foreign.lab_python import has_module
from rl_lab.orchestrator.foreign.process_variables import program_variables, scratch_folders
from rl_lab.orchestrator.foreign.script_user import (
    hand_over,
    require_reach,
    runs_as,
    script_user,
    share_folders,
)
from rl_lab.orchestrator.foreign.threads import FIRST, with_threads
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.private_files import users_umask
from rl_lab.orchestrator.worker_variables import worker_variables
from rl_lab.portable.missing_modules import Missing, advise, look_for, python_path
from rl_lab.portable.uncaptured import expected_gaps
from rl_lab.runners.foreign import (
    OWN_FOLDERS,
    SECRETS,
    ForeignRunner,
    RunPaths,
    code_in,
    next_to,
    refuse_all_labs,
)
from rl_lab.runners.python_call import PYTHON
from rl_lab.runners.registry import load_runner
from rl_lab.runners.script import START
from rl_lab.store import consents

FIELD = "params.command"
NEW_RUN = "new-run"
"""Used in paths of a run that has no id yet."""
SECRET = re.compile("KEY|TOKEN|SECRET|PASSW")
HIDDEN = "…"
PACKAGE = Path(rl_lab.__file__).parent
"""The lab's own code, part of which a captured script loads."""


class Resolved(NamedTuple):
    """A command with everything that was found out about it: resolved once, then passed on."""

    command: Command
    sha256: str
    answer: Answer | None
    """From the interpreter; None for a program."""
    missing: tuple[Missing, ...] = ()
    """Modules that the script imports and this Python does not have."""
    agreement: Agreement = Agreement("")
    """What is approved with `sha256`."""

    @property
    def job_inputs(self) -> dict[str, Any]:
        """For job.json of a captured script, which cannot look for missing modules itself and compares its files."""
        missing = {"missing": list(self.missing)} if self.missing else {}
        return {**missing, "agreed": dict(self.agreement.files)} if is_captured(self.command) else missing

    @property
    def title(self) -> str:
        """What is approved: the script, or the whole command when there is no file."""
        return self.command.script or " ".join(self.command.shown)

    @property
    def interpreter(self) -> Interpreter | None:
        if self.answer is None:
            return None
        return Interpreter(
            path=self.command.argv[0],
            version=self.answer.version,
            prefixes=[*self.answer.own, *self.agreement.added],
            missing=self.answer.missing,
            found=[one.module for one in self.missing if one.folder],
            python_path=python_path(self.missing, self.command.env.get("PYTHONPATH", "")),
        )


class Commands:
    def __init__(self, context: Context) -> None:
        self._settings = context.settings
        self._looking = Looking(context)
        self._home = context.home
        self._db = context.db
        self.training_slots: Callable[[], int] = lambda: context.settings.max_running
        """How many trainings may run at the same time; the queue sets it, since that can be changed."""

    async def preview(self, config: TrainConfig) -> CommandPreview:
        """What a new run would execute; InvalidInput when it cannot be executed."""
        paths = run_paths(self._home, NEW_RUN)
        found = await self.resolve(config, paths)
        if found is None:
            raise InvalidInput.of_field(
                "runner",
                f"Runs of “{config.runner}” execute the lab's own code, so there is no command to show.",
            )
        variables = variables_of(found, paths, {"RL_LAB_ATTEMPT": ""})
        known = await self._db.read(lambda conn: consents.exists(conn, found.sha256))
        before = await self._db.read(lambda conn: consents.find_parts(conn, found.title))
        level, note = await asyncio.to_thread(isolation)
        return CommandPreview(
            command=without_secrets(found.command),
            interpreter=found.interpreter,
            sha256=found.sha256,
            is_consented=known,
            modules=sorted(found.agreement.modules),
            added=list(found.agreement.added),
            changes=changes_between(before, found.agreement, found.title) if before and not known else [],
            isolation=level,
            isolation_note=note,
            runs_as=runs_as(self._settings),
            variables=sorted(variables),
            threads=found.command.env.get(FIRST) if found.answer is not None else None,
            not_captured=_gaps(found.answer, config),
            problems=problems_of(found),
        )

    async def resolve(self, config: JobConfig, paths: RunPaths) -> Resolved | None:
        """None when the run executes the lab's own code. May start a process: pass the result on."""
        runner = load_runner(config.runner) if isinstance(config, TrainConfig) else None
        if not isinstance(runner, ForeignRunner) or not isinstance(config, TrainConfig):
            return None
        command = await asyncio.to_thread(runner.command, config, paths)
        command = with_threads(command, self.training_slots())
        user = script_user(self._settings)
        if user is not None:
            await asyncio.to_thread(require_reach, user, command, paths)
        answer, folder = None, ""
        if PYTHON.fullmatch(Path(command.argv[0]).name):
            question = await asyncio.to_thread(question_of, command, config, self._home)
            answer = await ask(question, {**worker_variables(), **command.env})
            command = answered(command, answer)
            folder = question.folder if question.module else ""
        missing = await asyncio.to_thread(missing_of, command, config, answer) if answer else ()
        agreement = await asyncio.to_thread(agreement_of, command, answer, folder)
        for path in agreement.added:
            await asyncio.to_thread(refuse_all_labs, FIELD, Path(path), self._home, is_open=is_readable)
        return Resolved(command, agreement.sha256, answer, missing, agreement)

    async def launch(
        self, own: Launch, found: Resolved, paths: RunPaths, marker: Mapping[str, str]
    ) -> Launch:
        """launch.json of a foreign program; makes the folders it works in."""
        reads = [*found.command.reads, str(PACKAGE), str(paths.job)]
        if found.answer is not None:
            reads += [*found.answer.own, *found.agreement.added]
        confined = found.command.model_copy(update={"reads": reads})
        await asyncio.to_thread(make_folders, paths.run_dir)
        user = script_user(self._settings)
        if user is not None:
            await asyncio.to_thread(hand_over, user, paths)
            await asyncio.to_thread(share_folders, user, found.command, self._home)
        rights = await asyncio.to_thread(confinement_of, confined, self._settings)
        secret, variables = secrets_of(found.command), variables_of(found, paths, marker)
        return own._replace(
            argv=found.command.argv,
            cwd=found.command.cwd,
            env={name: value for name, value in variables.items() if name not in secret},
            inherit=sorted(secret),
            agreed=None if is_captured(found.command) else dict(found.agreement.files),
            confine=await self._looking.with_approved(rights),
            umask=users_umask(),
        )


def is_readable(name: str) -> bool:
    """Whether an entry of the lab's home may be read: interpreters that the lab made are in it."""
    return name not in SECRETS


def run_paths(home: Path, run_id: str, attempt: int = 1) -> RunPaths:
    run_dir = home / "runs" / run_id
    return RunPaths(home, run_dir, run_dir / "attempts" / str(attempt) / "job.json")


def make_folders(run_dir: Path) -> None:
    for folder in (*(run_dir / name for name in OWN_FOLDERS), *scratch_folders(run_dir).values()):
        folder.mkdir(parents=True, exist_ok=True)


def secrets_of(command: Command) -> set[str]:
    """Secrets from the lab's own process that a program gets; no file and no page shows them."""
    given = {name for name, value in command.env.items() if os.environ.get(name) == value}
    return {name for name in given if SECRET.search(name)}


def without_secrets(command: Command) -> Command:
    hidden = dict.fromkeys(secrets_of(command), HIDDEN)
    return command.model_copy(update={"env": {**command.env, **hidden}})


def variables_of(found: Resolved, paths: RunPaths, marker: Mapping[str, str]) -> dict[str, str]:
    """All environment variables of the program."""
    user_base = found.answer.user_base if found.answer else None
    return program_variables(found.command, paths.run_dir, marker, user_base)


def answered(command: Command, answer: Answer) -> Command:
    """The command completed by its interpreter: which one really runs, and which file a module is."""
    changes: dict[str, Any] = {
        "argv": [answer.python, *command.argv[1:]],
        "shown": [answer.python, *command.shown[1:]],
    }
    if str(START) in command.argv:
        if answer.file is None:
            module = command.shown[command.shown.index("-m") + 1]
            raise InvalidInput.of_field(FIELD, f"{answer.python} finds no module “{module}” to run.")
        changes["script"] = answer.file
    return command.model_copy(update=changes)


def question_of(command: Command, config: TrainConfig, home: Path) -> Question:
    """What to ask the interpreter: the arguments after the capture layer name the script or module."""
    argv = command.argv
    if str(START) not in argv:
        return Question(argv[0], "")
    target = argv[argv.index(str(START)) + 3 :]
    given = (
        *provided_by(config),
        *(("wandb",) if config.params.get("wandb", "stand-in") == "stand-in" else ()),
    )
    if target[0] == "-m":
        folder = str(config.params.get("folder", ""))
        return Question(argv[0], folder, None, target[1], given, tuple(code_in(folder, home)))
    script = Path(target[0])
    return Question(argv[0], str(script.parent), target[0], None, given, tuple(next_to(script, home)))


def provided_by(config: TrainConfig) -> tuple[str, ...]:
    """Modules for which the scripts of this runner get a stand-in."""
    runner = load_runner(config.runner)
    return runner.provides if isinstance(runner, ForeignRunner) else ()


def _gaps(answer: Answer | None, config: TrainConfig) -> list[str]:
    """What will not be captured; a stand-in is."""
    if answer is None:
        return []
    return expected_gaps([name for name in answer.mentioned if name not in provided_by(config)])


def problems_of(found: Resolved) -> list[str]:
    """Problems that will probably make the run fail, each with its remedy."""
    if found.answer is None:
        return []
    problems = []
    if found.answer.problem is not None:
        problems.append(
            f"{found.command.script}, {found.answer.problem}. Python cannot run it; correct the script."
        )
    if found.missing:
        names = ", ".join(one.module for one in found.missing)
        advice = advise(found.missing, found.command.argv[0], found.command.env.get("PYTHONPATH", ""))
        other = _other_python(found.command, [one.module for one in found.missing if not one.folder])
        problems.append(f"This Python lacks {names}, which the script imports. {advice}{other}")
    return problems


def missing_of(command: Command, config: TrainConfig, answer: Answer) -> tuple[Missing, ...]:
    """Searched for next to the script, where it was started from, and in the repository around them."""
    if not answer.missing:
        return ()
    near = [str(Path(command.script).parent)] if command.script else []
    return tuple(look_for(answer.missing, [*near, str(config.params.get("folder") or "")]))


def _other_python(command: Command, missing: Sequence[str]) -> str:
    """Suggests the lab's own Python when it has all the packages."""
    if not missing or command.argv[0] == sys.executable or not all(map(has_module, missing)):
        return ""
    return f" – or run it with the lab's own Python: {sys.executable}"
