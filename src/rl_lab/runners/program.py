"""Any program in any language that prints the protocol's lines on stdout is a run."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import ClassVar

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, RunnerSpec
from rl_lab.runners.foreign import (
    ForeignParams,
    absolute,
    beside,
    checked_env,
    readable,
    refuse_policy,
    work_folder,
    writable,
)
from rl_lab.worker.runner import Place, Policy
from rl_lab.worker.session import Session

FIELD = "params.command"
INTERPRETER = re.compile(
    r"(python|pypy|node|nodejs|deno|bun|perl|ruby|Rscript|R|julia|lua|luajit|php|java|octave|racket|guile|tclsh"
    r"|sh|bash|zsh|dash|fish|ksh|busybox|env)[0-9.]*t?(\.exe)?"
)
"""Programs that are what they are given: wherever one lies (a virtual environment), its file is agreed to as well."""


class ProgramRunner:
    spec: ClassVar[RunnerSpec] = RunnerSpec(
        id="program",
        name="Program",
        description="Any program that prints the worker protocol, one JSON object per line.",
        capabilities=Capabilities(
            pause=True, checkpoint=True, record=True, foreign=True, own_environment=True
        ),
        algorithms=(
            AlgorithmSpec(
                id="protocol",
                name="Worker protocol",
                description="The program decides what and how it learns, and says so.",
                action_kinds=("discrete", "continuous"),
                params=ForeignParams,
            ),
        ),
        checkpoint_suffix=".pt",
        worker_word="program",
    )

    def command(self, config: TrainConfig, place: Place) -> Command:
        params = ForeignParams.model_validate(config.params)
        program = find_program(params)
        script = agreed_file(program, params)
        # It runs in another folder: the file a tool is given must be found from there, too.
        rest = [
            str(script) if script and is_named(word, script, params) else word for word in params.command[1:]
        ]
        words = [str(program), *rest]
        around = [*(beside(script, place.home) if script else []), *around_tool(program)]
        return Command(
            argv=words,
            shown=words,
            cwd=str(work_folder(params, place)),
            env=checked_env(params),
            script=str(script) if script else None,
            reads=list(dict.fromkeys([*around, *readable(params, place)])),
            writes=writable(params, place),
            network=params.network,
        )

    def train(self, session: Session) -> None:
        raise refuse_policy("program")

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        raise refuse_policy("program")


def find_program(params: ForeignParams) -> Path:
    """The executable the first word names, looked for like a shell does."""
    if not params.command or not params.command[0].strip():
        raise InvalidInput.of_field(FIELD, "There is no command to run; e.g. ./my_trainer --seed 1.")
    word = params.command[0]
    found = shutil.which(word) if "/" not in word else str(absolute(word, params, FIELD))
    if found is None or not Path(found).exists():
        raise InvalidInput.of_field(FIELD, f"There is no program “{word}” here; is the path right?")
    program = Path(found)
    if program.is_dir():
        raise InvalidInput.of_field(FIELD, f"{program} is a folder; name the program in it.")
    if not os.access(program, os.X_OK):
        raise InvalidInput.of_field(FIELD, f"{program} is not executable; `chmod +x {program}` makes it so.")
    return program


def agreed_file(program: Path, params: ForeignParams) -> Path | None:
    """The file whose contents are agreed to: the program, or the file a tool or an interpreter is given.

    None for a tool without a file (`bash -c …`): then the words themselves are what is agreed to.
    """
    if not is_systems(program) and not INTERPRETER.fullmatch(program.name):
        return program
    for word in params.command[1:]:
        path = Path(params.folder) / word
        if path.is_absolute() and path.is_file():
            return path
    return None


def is_systems(program: Path) -> bool:
    """Whether it is one of the tools that everybody here uses by name."""
    tools = {Path(folder).resolve() for folder in os.get_exec_path()}
    return program.parent.resolve() in tools or program.resolve().parent in tools


def is_named(word: str, file: Path, params: ForeignParams) -> bool:
    return Path(params.folder) / word == file


def around_tool(program: Path) -> list[str]:
    """Where a tool outside the system's folders has its libraries: beside its `bin`."""
    found = []
    for path in (program, program.resolve()):
        folder = path.parent.parent if path.parent.name == "bin" else path
        is_open = folder != Path.home() and folder not in Path.home().parents
        found.append(str(folder if is_open else path))
    return [path for path in dict.fromkeys(found) if not path.startswith("/usr")]
