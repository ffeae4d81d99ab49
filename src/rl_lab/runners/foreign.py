"""What runners of foreign programs share: the params of a command, and the folders it may use."""

from __future__ import annotations

import os
from pathlib import Path

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.runners import Params, param
from rl_lab.worker.runner import Place

FILES, SCRATCH, CHECKPOINTS = "files", "scratch", "checkpoints"
RUNS = "runs"
"""Where the lab's home keeps its runs: what one made, another may be allowed to read."""
OWN_FOLDERS = (FILES, SCRATCH, CHECKPOINTS)
"""What a foreign program may write to in its run's folder; journal and telemetry are the lab's."""
MAX_WORDS, MAX_PATHS = 2000, 50


class ForeignParams(Params):
    command: list[str] = param(
        [], "The command, word by word, as one types it.", group="Command", max_length=MAX_WORDS
    )
    folder: str = param(
        "", "Folder the command was typed in; relative paths are meant from here.", group="Command", advanced=True
    )  # fmt: skip
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
    """A path as the user meant it; InvalidInput when nobody can tell."""
    meant = Path(path).expanduser()
    if not meant.is_absolute():
        if not Path(params.folder).is_absolute():
            raise InvalidInput.of_field(field, f"“{path}” is not an absolute path; give it from the root: /…")
        meant = Path(params.folder) / meant
    return Path(os.path.normpath(meant))


def work_folder(params: ForeignParams, place: Place) -> Path:
    """Where the program runs."""
    return _folder(params.workdir, params, "params.workdir") if params.workdir else place.run_dir / FILES


def readable(params: ForeignParams, place: Place) -> list[str]:
    """What the user allowed to be read, all of it there; of the lab's own files none but those of runs."""
    paths = [absolute(path, params, "params.reads") for path in params.reads]
    for path in paths:
        if not path.exists():
            raise InvalidInput.of_field("params.reads", f"There is no “{path}” that could be read.")
        _require_no_secret(path, place.home)
    return [str(path) for path in paths]


def writable(params: ForeignParams, place: Place) -> list[str]:
    """The run's own folders, then what the user allowed; never what would lay the lab itself open."""
    folders = [_folder(path, params, "params.writes") for path in params.writes]
    if params.workdir:
        folders.insert(0, work_folder(params, place))
    for folder in folders:
        require_outside_lab(folder, place.home)
    own = [place.run_dir / name for name in OWN_FOLDERS]
    return [str(folder) for folder in dict.fromkeys([*own, *folders])]


def require_outside_lab(folder: Path, home: Path) -> None:
    lab, meant = home.resolve(), folder.resolve()
    if meant == lab or meant in lab.parents or lab in meant.parents:
        raise InvalidInput.of_field(
            "params.writes",
            f"“{folder}” holds, or is part of, the lab's own files; choose a folder beside them.",
        )


def _require_no_secret(path: Path, home: Path) -> None:
    lab, meant = home.resolve(), path.resolve()
    is_inside = lab in meant.parents and RUNS not in meant.relative_to(lab).parts[:1]
    if meant == lab or meant in lab.parents or is_inside:
        raise InvalidInput.of_field(
            "params.reads",
            f"“{path}” holds, or is part of, the lab's own files (token, database), which no script may read.",
        )


def beside(script: Path, home: Path) -> list[str]:
    """What a script may read around itself: its folder, or only its modules where that would lay open too much."""
    folder = script.parent
    secret = [Path.home().resolve(), home.resolve()]
    real = folder.resolve()
    if not any(real == one or real in one.parents for one in secret):
        return [str(folder)]
    try:
        modules = [p for p in sorted(folder.iterdir()) if p.suffix == ".py" or (p / "__init__.py").is_file()]
    except OSError:
        modules = []
    return [str(path) for path in dict.fromkeys([script, *modules])]


def checked_env(params: ForeignParams) -> dict[str, str]:
    for name, value in params.env.items():
        if not name or "=" in name or "\0" in name + value:
            raise InvalidInput.of_field("params.env", f"“{name}” cannot be the name of a variable.")
    return dict(params.env)


def refuse_policy(name: str) -> NotReady:
    """For everything that would need the program's own idea of a policy."""
    return NotReady(
        f"The lab cannot play with what a {name} saved: only the {name} knows its networks.",
        next_step="Watch the episodes it recorded; they replay without it.",
    )


def _folder(path: str, params: ForeignParams, field: str) -> Path:
    folder = absolute(path, params, field)
    if not folder.is_dir():
        raise InvalidInput.of_field(field, f"There is no folder “{folder}”; make it first, or name another.")
    return folder
