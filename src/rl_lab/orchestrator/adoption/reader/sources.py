"""A source: one folder whose files make one run. Recognised by the names of its files, opened beneath it only."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import Path, PurePath
from typing import BinaryIO

from rl_lab.analysis.adoption.mlflow_files import META, METRICS, PARAMS, RUN_NAME
from rl_lab.analysis.adoption.names import is_cleanrl
from rl_lab.analysis.adoption.neptune_files import SUFFIX as PARQUET
from rl_lab.analysis.adoption.neptune_files import part_names
from rl_lab.core.adoption import SourceFormat
from rl_lab.core.errors import Forbidden
from rl_lab.store.files.safe_open import open_beneath, split_path

DATABASE = ".db"
RUN_FILES = {DATABASE: "trackio", PARQUET: "neptune"}
"""End of the name of a file with several runs → its role. A "#" is between the file and the name of a run in it."""
KEY = "run"
"""A folder makes one run, so one key is enough, except for files with several runs."""
JOINED = "joined"
"""The key of a further folder of the same training."""
ROLES = ("results", "progress", "monitor", "events", "mlflow", "trackio", "neptune", "wandb", "evaluations")
"""In the order of trust: a metric that two files hold is taken from the first."""
FACT_FILES = frozenset(
    {
        "args.yml",
        "config.yml",
        "config.yaml",
        "params.json",
        "wandb-summary.json",
        "error.txt",
        "hparams.yaml",
    }
)
MAX_FILES = 300
"""Files of one run that are listed."""
MAX_DATA_FILES = 2000
"""Files with points that one run is read from."""
MAX_OTHERS = 4000
"""Other entries of one folder that are considered for the list."""
MLFLOW_DEPTH = 6
"""Slashes in the name of a metric."""
DEPTH, WANDB_DEPTH = 2, 4
"""How far below its folder a run's files are listed; W&B keeps media in folders of folders."""
HPARAMS = re.compile(r"\d{9,11}\.\d+")
"""`SummaryWriter.add_hparams` writes into a separate folder named by the time; it belongs to the run above."""
KINDS = {
    ".zip": "model",
    ".pt": "model",
    ".pth": "model",
    ".onnx": "model",
    ".safetensors": "model",
    ".ckpt": "model",
    ".cleanrl_model": "model",
    ".pkl": "file",
    ".npz": "metrics",
    ".csv": "metrics",
    ".mp4": "video",
    ".webm": "video",
    ".gif": "video",
    ".png": "image",
    ".jpg": "image",
    ".jpeg": "image",
    ".json": "config",
    ".yml": "config",
    ".yaml": "config",
    ".txt": "log",
    ".log": "log",
    ".wandb": "wandb",
    ".jsonl": "metrics",
}
"""What is listed, by the end of its name."""


@dataclass
class SourceFolder:
    path: str
    data: dict[str, list[str]]
    """Role → names of the files that hold points, oldest name first."""
    files: list[str] = field(default_factory=list)
    """Every file that is listed, relative; those of `data` and `facts` too."""
    problems: list[str] = field(default_factory=list)
    mlflow_facts: list[str] = field(default_factory=list)
    """Files of MLflow that hold parameters, the name and the end of the run."""
    key: str = KEY
    """Permanent name of the run in its folder; a database of Trackio or an export of Neptune holds several runs."""
    prefix: str = ""
    """In front of the names of its files in the bookmarks; empty for the folder that gives the run its name."""
    shown: str = ""
    """In front of the names of its files where they are listed."""
    joined: list[SourceFolder] = field(default_factory=list)
    """Further folders of the same training."""

    @property
    def folder(self) -> str:
        """Where its files are: the path, without a file and the name of a run in it."""
        return self.path if self.key == KEY else self.path.removesuffix(f"/{self.key}")

    @property
    def run(self) -> str:
        """Name of the run in a file with several runs."""
        return next((self.key.partition(f"{end}#")[2] for end in RUN_FILES if f"{end}#" in self.key), "")

    @property
    def parts(self) -> list[SourceFolder]:
        return [self, *self.joined]

    @property
    def names(self) -> list[str]:
        """Of the files with points in this folder alone."""
        return [name for role in ROLES for name in self.data.get(role, ())]

    @property
    def facts(self) -> list[str]:
        if "mlflow" in self.data:
            return self.mlflow_facts
        return [name for name in self.files if name.rpartition("/")[2] in FACT_FILES]

    @property
    def format(self) -> SourceFormat:
        if "wandb" in self.data:
            return "wandb-offline"
        if "mlflow" in self.data:
            return "mlflow"
        if "trackio" in self.data:
            return "trackio"
        if "neptune" in self.data:
            return "neptune"
        if "results" in self.data:
            return "ray-tune"
        if any(name.endswith("args.yml") for part in self.parts for name in part.files):
            return "rl-zoo"
        if is_cleanrl(PurePath(self.path).name):
            return "cleanrl"
        roles = {role for part in self.parts for role in part.data}
        return "sb3" if roles & {"monitor", "progress", "evaluations"} else "tensorboard"


def role_of(name: str) -> str | None:
    """What a file of that name holds; None for anything that holds no points."""
    if "tfevents" in name:
        return "events"
    if name == "monitor.csv" or name.endswith(".monitor.csv"):
        return "monitor"
    if name.startswith("run-") and name.endswith(".wandb"):
        return "wandb"
    return {"progress.csv": "progress", "evaluations.npz": "evaluations", "result.json": "results"}.get(name)


def data_of(names: Sequence[str]) -> dict[str, list[str]]:
    """The files with points among those of one folder, by role; empty when the folder makes no run."""
    data: dict[str, list[str]] = {}
    for name in sorted(names):
        role = role_of(name)
        if role is not None:
            data.setdefault(role, []).append(name)
    if "results" in data and not {"params.json", "params.pkl", "progress.csv"} & set(names):
        del data["results"]
    return data


def look_into(path: str) -> SourceFolder | None:
    """The source at this folder with the files to list; None when it holds no points (any more)."""
    in_file = _run_in_file(path)
    if in_file is not None:
        return in_file
    listed, left_out = _listing(path)
    source = SourceFolder(path, data_of([name for name, is_folder in listed if not is_folder]))
    if is_mlflow(listed):
        _add_mlflow(source)
    if not source.data:
        return None
    if left_out:
        source.problems.append(f"It holds {left_out:,} more files with points than are read as one run.")
    _add_hparams(source, listed)
    _gather(source, "", listed, WANDB_DEPTH if "wandb" in source.data else DEPTH)
    return source


def _run_in_file(path: str) -> SourceFolder | None:
    for end, role in RUN_FILES.items():
        file, mark, run = path.partition(f"{end}#")
        if mark and run and not Path(path).is_dir():
            name = f"{PurePath(file).name}{end}"
            names = _parts_of(str(PurePath(file).parent), name) if role == "neptune" else [name]
            return SourceFolder(path, {role: names}, names[:MAX_FILES], key=f"{name}#{run}")
    return None


def _parts_of(folder: str, first: str) -> list[str]:
    """The first file of an export and those that follow it; a missing one ends them."""
    names = islice(part_names(first), MAX_DATA_FILES)
    return [first, *takewhile(lambda name: stat_file(folder, name) is not None, islice(names, 1, None))]


def join_folders(main: SourceFolder, parts: Sequence[SourceFolder]) -> SourceFolder:
    """One source of several folders; their files are listed below the folder that holds them all."""
    main.joined = list(parts)
    above = os.path.commonpath([main.path, *(part.path for part in parts)]) if parts else main.path
    for part in parts:
        part.prefix = f"{part.path}/"
        inside = os.path.relpath(part.path, above)
        part.shown = "" if inside == "." else f"{inside}/"
    return main


def newest_mtime(source: SourceFolder) -> float:
    """When a file with points was last written."""
    found = [stat_file(part.folder, name) for part in source.parts for name in part.names]
    newest = max((status[1] for status in found if status is not None), default=0)
    return newest / 1e9 or time.time()


def file_states(source: SourceFolder) -> dict[str, tuple[int, int]]:
    """Size and mtime of every file that is read, by its name in the bookmarks."""
    found = {
        part.prefix + name: stat_file(part.folder, name)
        for part in source.parts
        for name in {*part.names, *part.facts}
    }
    return {name: status for name, status in found.items() if status is not None}


def is_mlflow(listed: Iterable[tuple[str | None, bool]]) -> bool:
    """Whether a folder with these names, each with whether it is a folder, is a run of MLflow's file store."""
    names = set(listed)
    return (META, False) in names and ("metrics", True) in names


def _add_mlflow(source: SourceFolder) -> None:
    """Metrics with a slash in their name are files in folders of folders."""
    metrics = _below(source.path, METRICS.rstrip("/"))
    if metrics:
        source.data["mlflow"] = metrics[:MAX_DATA_FILES]
        source.mlflow_facts = [META, RUN_NAME, *_below(source.path, PARAMS.rstrip("/"))[:MAX_FILES]]
    if len(metrics) > MAX_DATA_FILES:
        source.problems.append(f"It holds more than {MAX_DATA_FILES:,} metrics; the rest was left out.")


def _below(path: str, folder: str) -> list[str]:
    """Files below a folder of the source, sorted; links are left out."""
    found: list[str] = []
    for here, folders, names in os.walk(f"{path}/{folder}"):
        inside = os.path.relpath(here, path)
        if inside.count("/") > MLFLOW_DEPTH or len(found) > MAX_DATA_FILES:
            folders.clear()
        found += [f"{inside}/{name}" for name in names if is_plain(name)]
    return sorted(found)


def _add_hparams(source: SourceFolder, listed: list[tuple[str, bool]]) -> None:
    for folder, is_folder in sorted(listed):
        if is_folder and "events" in source.data and HPARAMS.fullmatch(folder):
            below, _ = _listing(f"{source.path}/{folder}")
            source.data["events"] += [
                f"{folder}/{name}" for name, _ in sorted(below) if role_of(name) == "events"
            ]


def is_plain(name: str) -> bool:
    """A name that can be opened, listed and sent."""
    return name.isprintable() and "\\" not in name


def _listing(path: str) -> tuple[list[tuple[str, bool]], int]:
    """Names worth a look, each with whether it is a folder, and how many files with points were too many.

    Of a million files no more is kept than is needed; those with points are found wherever they come.
    """
    data: list[tuple[str, bool]] = []
    others: list[tuple[str, bool]] = []
    left_out = 0
    with os.scandir(path) as entries:
        for entry in entries:
            kind = _kind_of(entry.name)
            if kind == "data" and len(data) >= MAX_DATA_FILES:
                left_out += 1
            elif kind == "data" and is_plain(entry.name) and entry.is_file(follow_symlinks=False):
                data.append((entry.name, False))
            elif (
                len(others) >= MAX_OTHERS or kind == "data" or entry.is_symlink() or not is_plain(entry.name)
            ):
                continue
            elif kind == "file" and entry.is_file(follow_symlinks=False):
                others.append((entry.name, False))
            elif entry.is_dir(follow_symlinks=False):
                others.append((entry.name, True))
    return data + others, left_out


def _kind_of(name: str) -> str:
    if role_of(name):
        return "data"
    # By hand: of a million names each is looked at.
    return "file" if "." + name.rpartition(".")[2].lower() in KINDS else ""


def _gather(source: SourceFolder, above: str, listed: list[tuple[str, bool]], depth: int) -> None:
    """Files of a kind we know, here and in folders below that are no source of their own."""
    for name, is_folder in sorted(listed):
        if len(source.files) >= MAX_FILES:
            return
        if not is_folder:
            source.files.append(f"{above}{name}")
        elif depth > 0 and not name.startswith("."):
            try:
                below, _ = _listing(f"{source.path}/{above}{name}")
            except OSError:
                continue
            if (
                "wandb" in source.data
                or HPARAMS.fullmatch(name)
                or not data_of([n for n, is_dir in below if not is_dir])
            ):
                _gather(source, f"{above}{name}/", below, depth - 1)


@contextmanager
def open_source(path: str) -> Iterator[int]:
    """A descriptor of the folder: what is opened beneath it cannot be elsewhere."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def open_file(folder: int, name: str) -> Iterator[BinaryIO]:
    """A regular file beneath the folder, no link followed; OSError in any other case."""
    try:
        parts = split_path(name)
    except Forbidden as error:
        raise OSError(error.detail) from None
    # Non-blocking, or a pipe of that name would block forever.
    fd = open_beneath(folder, parts, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError("it is not a plain file")
        yield file


def stat_file(path: str, name: str) -> tuple[int, int] | None:
    """Size and mtime, or None when it is not there (any more)."""
    try:
        info = Path(path, name).stat(follow_symlinks=False)
    except OSError:
        return None
    return (info.st_size, info.st_mtime_ns) if stat.S_ISREG(info.st_mode) else None
