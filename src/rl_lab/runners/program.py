"""Any program in any language that prints the lines of the worker protocol on stdout."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import ClassVar

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, RunnerSpec
from rl_lab.runners.foreign import (
    ForeignParams,
    ForeignRunner,
    RunPaths,
    absolute,
    checked_variables,
    foreign_spec,
    next_to,
    readable,
    work_folder,
    writable,
)

FIELD = "params.command"
INTERPRETER = re.compile(
    r"(python|pypy|node|nodejs|deno|bun|perl|ruby|Rscript|R|julia|lua|luajit|php|java|octave|racket|guile|tclsh"
    r"|sh|bash|zsh|dash|fish|ksh|busybox|env)[0-9.]*t?(\.exe)?"
)
"""Interpreters: the user approves the file they are given, also when the interpreter is in a virtual environment."""


class ProgramRunner(ForeignRunner):
    spec: ClassVar[RunnerSpec] = foreign_spec(
        "program",
        "Program",
        "Any program that prints the worker protocol, one JSON object per line.",
        AlgorithmSpec(
            id="protocol",
            name="Worker protocol",
            description="The program decides what and how it learns, and reports it.",
            action_kinds=("discrete", "continuous"),
            params=ForeignParams,
        ),
    )

    def command(self, config: TrainConfig, paths: RunPaths) -> Command:
        params = ForeignParams.model_validate(config.params)
        program = find_program(params)
        script = approved_file(program, params)
        # It runs in another folder, so the path of a tool's file must be absolute.
        rest = [
            str(script) if script and is_named(word, script, params) else word for word in params.command[1:]
        ]
        words = [str(program), *rest]
        nearby = [*(next_to(script, paths.home) if script else []), *libraries_of(program)]
        return Command(
            argv=words,
            shown=words,
            cwd=str(work_folder(params, paths)),
            env=checked_variables(params),
            script=str(script) if script else None,
            reads=list(dict.fromkeys([*nearby, *readable(params, paths)])),
            writes=writable(params, paths),
            network=params.network,
        )


def find_program(params: ForeignParams) -> Path:
    """The executable named by the first word, searched for like a shell does."""
    if not params.command or not params.command[0].strip():
        raise InvalidInput.of_field(FIELD, "The command is empty; e.g. ./my_trainer --seed 1.")
    word = params.command[0]
    found = shutil.which(word) if "/" not in word else str(absolute(word, params, FIELD))
    if found is None or not Path(found).exists():
        raise InvalidInput.of_field(FIELD, f"The program “{word}” was not found; check the path.")
    program = Path(found)
    if program.is_dir():
        raise InvalidInput.of_field(FIELD, f"{program} is a folder; name the program in it.")
    if not program.is_file():
        raise InvalidInput.of_field(FIELD, f"{program} is a pipe, a socket or a device, not a program.")
    if not os.access(program, os.X_OK):
        raise InvalidInput.of_field(FIELD, f"{program} is not executable; run `chmod +x {program}`.")
    return program


def approved_file(program: Path, params: ForeignParams) -> Path | None:
    """The file whose contents the user approves: the program, or the file a tool or an interpreter is given.

    None for a tool without a file (`bash -c …`): then the user approves the words of the command.
    """
    if not is_system_tool(program) and not INTERPRETER.fullmatch(program.name):
        return program
    for word in params.command[1:]:
        path = Path(params.folder) / word
        if path.is_absolute() and path.is_file():
            return path
    return None


def is_system_tool(program: Path) -> bool:
    """Whether it is in a folder of PATH."""
    tools = {Path(folder).resolve() for folder in os.get_exec_path()}
    return program.parent.resolve() in tools or program.resolve().parent in tools


def is_named(word: str, file: Path, params: ForeignParams) -> bool:
    return Path(params.folder) / word == file


def libraries_of(program: Path) -> list[str]:
    """Where a tool outside the system's folders has its libraries: next to its `bin`."""
    found = []
    for path in (program, program.resolve()):
        folder = path.parent.parent if path.parent.name == "bin" else path
        is_open = folder != Path.home() and folder not in Path.home().parents
        found.append(str(folder if is_open else path))
    return [path for path in dict.fromkeys(found) if not path.startswith("/usr")]
