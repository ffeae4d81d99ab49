"""Runners of foreign programs: what they have in common, the params of a command, and the folders it may use."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, NamedTuple

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Params, RunnerSpec, param
from rl_lab.runners.lab_homes import lab_homes_near
from rl_lab.worker.runner import Policy
from rl_lab.worker.session import Session

FILES, SCRATCH, CHECKPOINTS = "files", "scratch", "checkpoints"
RUNS = "runs"
"""The folder of the runs in the lab's home: one run may be allowed to read files of another."""
OWN_FOLDERS = (FILES, SCRATCH, CHECKPOINTS)
"""What a foreign program may write to in its run's folder; journal and telemetry belong to the lab."""
SECRETS = frozenset({"token", "server.json", "lab.db", "lab.db-wal", "lab.db-shm"})
"""Files in the lab's home that no program may read."""
MAX_WORDS, MAX_PATHS = 2000, 50


class RunPaths(NamedTuple):
    """Where a foreign program works."""

    home: Path
    """The lab's home folder."""
    run_dir: Path
    """`files/` in it is the program's own folder: its working directory, and what it may write to."""
    job: Path
    """job.json of the attempt; it does not exist yet while a command is only shown."""


class ForeignRunner(ABC):
    """A runner whose learner is a separate program: it names a command, which the guardian executes."""

    provides: ClassVar[tuple[str, ...]] = ()
    """Modules that the capture layer gives to its scripts, installed or not."""

    @property
    @abstractmethod
    def spec(self) -> RunnerSpec: ...

    @abstractmethod
    def command(self, config: TrainConfig, paths: RunPaths) -> Command:
        """InvalidInput when the script is missing or cannot be started by this runner."""

    def train(self, session: Session) -> None:
        raise refuse_policy(self.spec.worker_word)

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        raise refuse_policy(self.spec.worker_word)


class CapturedRunner(ForeignRunner):
    """A runner whose learner is a captured Python script: the script's own classes play its checkpoints."""

    def load_captured(self, checkpoint: Path, given: PolicyInput) -> Policy:
        from rl_lab.runners.script_policies import load_policy

        return load_policy(given, checkpoint)


def foreign_spec(runner_id: str, name: str, description: str, algorithm: AlgorithmSpec) -> RunnerSpec:
    """The spec of a runner that starts any program of one kind; a script's own classes may play its checkpoints."""
    return RunnerSpec(
        id=runner_id,
        name=name,
        description=description,
        capabilities=Capabilities(
            pause=True,
            checkpoint=True,
            record=True,
            foreign=True,
            own_environment=True,
            own_classes=runner_id == "script",
        ),
        algorithms=(algorithm,),
        checkpoint_suffix=".pt",
        worker_word=runner_id,
    )


class ForeignParams(Params):
    command: list[str] = param(
        [], "The command as a list of words, as typed in a terminal.", group="Command", max_length=MAX_WORDS
    )
    folder: str = param(
        "",
        "Folder the command was typed in; relative paths start here.",
        group="Command",
        advanced=True,
    )
    workdir: str = param(
        "",
        "Folder to run in, which it may write to; empty: `files` in the run's own folder.",
        group="Folders",
    )
    reads: list[str] = param(
        [], "More files and folders it may read.", group="Folders", advanced=True, max_length=MAX_PATHS
    )
    writes: list[str] = param(
        [], "More folders it may write to.", group="Folders", advanced=True, max_length=MAX_PATHS
    )
    network: bool = param(False, "May use the network.", group="Permissions")
    env: dict[str, str] = param(
        {},
        "Environment variables; they are kept with the run, so no secrets.",
        group="Command",
        advanced=True,
    )


def absolute(path: str, params: ForeignParams, field: str) -> Path:
    """The absolute path; InvalidInput when it is relative and the folder is not known."""
    meant = Path(path).expanduser()
    if not meant.is_absolute():
        if not Path(params.folder).is_absolute():
            raise InvalidInput.of_field(field, f"“{path}” is not an absolute path; write it in full: /…")
        meant = Path(params.folder) / meant
    return Path(os.path.normpath(meant))


def work_folder(params: ForeignParams, paths: RunPaths) -> Path:
    """Where the program runs."""
    return _folder(params.workdir, params, "params.workdir") if params.workdir else paths.run_dir / FILES


def readable(params: ForeignParams, paths: RunPaths) -> list[str]:
    """Existing paths the user allowed to be read; of the lab's home only files of runs."""
    found = [absolute(path, params, "params.reads") for path in params.reads]
    for path in found:
        if not path.exists():
            raise InvalidInput.of_field("params.reads", f"“{path}” does not exist, so it cannot be read.")
        refuse_all_labs("params.reads", path, paths.home, is_open=lambda name: name == RUNS)
    return [str(path) for path in found]


def writable(params: ForeignParams, paths: RunPaths) -> list[str]:
    """The run's own folders, then those the user allowed; never the lab's own files."""
    folders = [_folder(path, params, "params.writes") for path in params.writes]
    if params.workdir:
        folders.insert(0, work_folder(params, paths))
    for folder in folders:
        refuse_all_labs("params.writes", folder, paths.home)
    own = [paths.run_dir / name for name in OWN_FOLDERS]
    return [str(folder) for folder in dict.fromkeys([*own, *folders])]


def refuse_lab_files(
    field: str, path: Path, home: Path, *, is_open: Callable[[str], bool] = lambda _: False
) -> None:
    """InvalidInput when `path` contains the lab's home, or is in a part of it that is not open.

    `is_open` gets the name of the file or folder, directly in the home, that the path is in.
    """
    lab, meant = home.resolve(), path.resolve()
    is_inside = lab in meant.parents and not is_open(meant.relative_to(lab).parts[0])
    if meant == lab or meant in lab.parents or is_inside:
        raise InvalidInput.of_field(
            field,
            f"“{path}” contains, or is one of, the lab's own files (token, database) in {lab}, which no program "
            "may use. Name the folders that it needs one by one, or keep the lab elsewhere (RL_LAB_HOME).",
        )


def refuse_all_labs(
    field: str, path: Path, home: Path, *, is_open: Callable[[str], bool] = lambda _: False
) -> None:
    """The same for the files of other labs near the path: their tokens are as valuable."""
    for lab in dict.fromkeys([home.resolve(), *lab_homes_near(path)]):
        refuse_lab_files(field, path, lab, is_open=is_open)


def next_to(script: Path, home: Path) -> list[str]:
    """What a script may read next to itself."""
    found = code_in(str(script.parent), home)
    return found if found == [str(script.parent)] else list(dict.fromkeys([str(script), *found]))


def code_in(folder: str, home: Path) -> list[str]:
    """What a program started in a folder may read there: all of it, or only modules where a home is in it.

    A home is the user's, this lab's or another lab's.
    """
    if not folder:
        return []
    private, real = (
        [Path.home().resolve(), home.resolve(), *lab_homes_near(Path(folder))],
        Path(folder).resolve(),
    )
    if not any(real == one or real in one.parents for one in private):
        return [folder]
    try:
        inner = sorted(Path(folder).iterdir())
        modules = [p for p in inner if p.suffix == ".py" or (p / "__init__.py").is_file()]
    except OSError:
        return []
    return [str(p) for p in modules if not any(p.resolve() in (one, *one.parents) for one in private)]


def checked_variables(params: ForeignParams) -> dict[str, str]:
    for name, value in params.env.items():
        if not name or "=" in name or "\0" in name + value:
            raise InvalidInput.of_field("params.env", f"“{name}” is not a valid name of a variable.")
    return dict(params.env)


def refuse_policy(name: str) -> NotReady:
    """For everything that would need to load what a script or a program saved."""
    return NotReady(
        f"The lab cannot load checkpoints of a {name}: only the {name} can load its networks.",
        cause="not-playable",
        next_step="Watch the episodes it recorded; they replay without it.",
    )


def _folder(path: str, params: ForeignParams, field: str) -> Path:
    folder = absolute(path, params, field)
    if not folder.is_dir():
        raise InvalidInput.of_field(
            field, f"The folder “{folder}” does not exist; create it first, or name another."
        )
    return folder
