"""One source's run: its files read on from where they were left, stored, and described for lab.db."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from rl_lab.analysis.adoption.evaluation_files import is_other, read_evaluations
from rl_lab.analysis.adoption.event_files import read_events
from rl_lab.analysis.adoption.mlflow_files import METRICS, read_metric
from rl_lab.analysis.adoption.monitor_files import read_monitor
from rl_lab.analysis.adoption.names import facts_of_name
from rl_lab.analysis.adoption.neptune_files import read_neptune
from rl_lab.analysis.adoption.pieces import PIECE_BYTES, Facts, Piece, Reader
from rl_lab.analysis.adoption.progress_files import read_progress
from rl_lab.analysis.adoption.ray_files import read_results
from rl_lab.analysis.adoption.trackio_files import read_trackio
from rl_lab.analysis.adoption.wandb_files import read_wandb
from rl_lab.orchestrator.adoption.reader.batches import Gathering
from rl_lab.orchestrator.adoption.reader.bookmarks import FileMemory, Memory
from rl_lab.orchestrator.adoption.reader.fact_files import read_fact_file
from rl_lab.orchestrator.adoption.reader.sources import (
    ROLES,
    RUN_FILES,
    SourceFolder,
    newest_mtime,
    open_file,
    open_source,
)
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import TelemetryDb
from rl_lab.store.telemetry.blank_file import write_blank
from rl_lab.store.telemetry.clear import empty
from rl_lab.store.telemetry.new_points import NewPoints

READERS: dict[str, Reader] = {
    "results": read_results,
    "progress": read_progress,
    "monitor": read_monitor,
    "wandb": read_wandb,
    "events": read_events,
    "evaluations": read_evaluations,
    "mlflow": read_metric,
    "trackio": read_trackio,
    "neptune": read_neptune,
}
REWRITTEN = frozenset({"evaluations", "trackio"})
"""Files that are not only appended to; their readers note what they have read."""
FLUSH_POINTS = 500_000
MAX_PIECES = 2048
"""Pieces of one file that are read in one pass: 16 GiB."""
MAX_EMPTY_PIECES = 64
"""Pieces in a row without a value, after which a file is given up: 512 MiB."""
FACT_BYTES = 1 << 20


def begin_memo(source: SourceFolder, role: str, name: str) -> dict[str, Any]:
    """What a reader cannot see in the file: the name of the metric or run."""
    if role == "mlflow":
        return {"tag": name.removeprefix(METRICS)}
    return {"run": source.run} if role in RUN_FILES.values() else {}


class Replaced(Exception):
    """A file no longer begins with the bytes that were read before."""


class AdoptionLeft(Exception):
    """The adoption was stopped while one of its files was read."""


class DataFile(NamedTuple):
    """One file of a source with values to read."""

    source: SourceFolder
    role: str
    name: str
    place: int
    """Its number among the files of this role."""
    whole: SourceFolder
    """The source with all its folders."""

    @property
    def path(self) -> str:
        return f"{self.source.folder}/{self.name}"

    @property
    def key(self) -> str:
        """Its name in the bookmarks."""
        return self.source.prefix + self.name


class Keeper:
    """Reads a source into the run of this id."""

    def __init__(
        self,
        home: Path,
        run_id: str,
        on_problem: Callable[[str], None],
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """`pause` is called between two pieces of a file; AdoptionLeft from it ends the reading."""
        self.run_id = run_id
        self.folder = RunFolder(home, run_id)
        self.ticks: list[dict[str, Any]] = []
        """Stored by the last `advance`, with their ids."""
        self.points: dict[str, Any] = {}
        """Stored last, in the shape of a response with metrics."""
        self.is_new = False
        """Its telemetry was made by this keeper and is not safe on the disk yet."""
        self.cut: list[str] = []
        """Paths of files whose last line or record was only half there."""
        self.not_finite: dict[str, tuple[int, int]] = {}
        """Name of a metric → how many values read by the last `advance` are NaN or infinite, and the first step."""
        self._on_problem = on_problem
        self._pause = pause
        self.memory = Memory()

    def load(self) -> None:
        """The bookmarks of an earlier pass; empty when there was none or its telemetry is missing."""
        if self.folder.telemetry.exists():
            try:
                with closing(TelemetryDb(self.folder.telemetry)) as db:
                    state = db.state()
            except sqlite3.DatabaseError as error:
                self._on_problem(f"{self.folder.telemetry}: it is damaged ({error}); the run is read anew.")
                self.folder.telemetry.unlink()
                return
            if state:
                self.memory = msgspec.convert(state, Memory, strict=False)

    def advance(self, source: SourceFolder) -> bool:
        """Reads what is new; returns whether there was anything. A replaced file causes everything to be read again."""
        self.ticks, self.points, self.cut, self.not_finite = [], {}, [], {}
        try:
            return self._read(source)
        except Replaced as error:
            self._on_problem(f"{error}: it was replaced; the run is read anew.")
            self.forget()
            return self._read(source)

    def forget(self) -> None:
        """Everything that was read: the next `advance` begins anew."""
        self.memory = Memory()
        if self.folder.telemetry.exists():
            empty(self.folder.telemetry)

    @property
    def facts(self) -> Facts:
        return Facts(**self.memory.facts)

    @property
    def states(self) -> dict[str, tuple[int, int]]:
        return {name: (file.size, file.mtime_ns) for name, file in self.memory.files.items()}

    def _read(self, source: SourceFolder) -> bool:
        gathering = Gathering(self.memory)
        before = self.memory.points
        with ExitStack() as opened:
            parts = [(part, opened.enter_context(open_source(part.folder))) for part in source.parts]
            for part, folder in parts:
                for name in part.facts:
                    self._read_facts(folder, part, name, gathering)
            for role in ROLES:
                for part, folder in parts:
                    for place, name in enumerate(part.data.get(role, ())):
                        self._read_file(folder, DataFile(part, role, name, place, source), gathering)
        self._flush(source, gathering)
        self.not_finite = gathering.not_finite
        return self.memory.points > before

    def _read_file(self, folder: int, data: DataFile, gathering: Gathering) -> None:
        known = self.memory.files.get(data.key, FileMemory())
        try:
            with open_file(folder, data.name) as file:
                status = os.fstat(file.fileno())
                if known.is_unchanged(status):
                    return
                if known.offset and data.role not in REWRITTEN and not known.is_beginning_of(file):
                    raise Replaced(data.path)
                known.memo = {**known.memo, **begin_memo(data.source, data.role, data.name)}
                self._read_on(file, data, known, gathering)
                known.note(file, known.offset, known.memo, status)
                self.memory.files[data.key] = known
        except OSError as error:
            self._on_problem(f"{data.path}: {error.strerror or error}.")

    def _read_on(self, file: BinaryIO, data: DataFile, known: FileMemory, gathering: Gathering) -> None:
        empty = 0
        for _ in range(MAX_PIECES):
            before = gathering.points
            piece = self._read_piece(file, data, known, gathering)
            if piece.is_complete:
                if piece.offset < os.fstat(file.fileno()).st_size and not piece.problems:
                    self.cut.append(data.path)
                return
            empty = 0 if gathering.points > before else empty + 1
            if empty == MAX_EMPTY_PIECES:
                break
            if gathering.points > FLUSH_POINTS:
                self._note_half_way(file, known, data.key)
                self._flush(data.whole, gathering)
            self._pause()
        self._give_up(file, data, known, empty)

    def _read_piece(self, file: BinaryIO, data: DataFile, known: FileMemory, gathering: Gathering) -> Piece:
        piece = READERS[data.role](file, known.offset, known.memo)
        if data.role == "evaluations" and is_other(known.memo, piece):
            raise Replaced(data.path)
        known.offset, known.memo = piece.offset, piece.memo
        place = data.place if data.role == "monitor" else 0
        gathering.take(data.role, piece, place, file=data.key, is_ray="results" in data.source.data)
        for problem in piece.problems:
            self._on_problem(f"{data.path}: {problem}")
        return piece

    def _give_up(self, file: BinaryIO, data: DataFile, known: FileMemory, empty: int) -> None:
        """What is written later is read on from the end."""
        known.offset = os.fstat(file.fileno()).st_size
        mebibytes = (empty or MAX_PIECES) * PIECE_BYTES >> 20
        what = "hold no value" if empty else "were read"
        self._on_problem(f"{data.path}: {mebibytes:,} MiB of it {what}; the rest was left out.")

    def _note_half_way(self, file: BinaryIO, known: FileMemory, name: str) -> None:
        """Points and position are stored together; size 0 means that there is more to read."""
        known.note(file, known.offset, known.memo, os.fstat(file.fileno()))
        known.size = 0
        self.memory.files[name] = known

    def _read_facts(self, folder: int, source: SourceFolder, name: str, gathering: Gathering) -> None:
        key = source.prefix + name
        known = self.memory.files.get(key, FileMemory())
        try:
            with open_file(folder, name) as file:
                status = os.fstat(file.fileno())
                if known.is_unchanged(status):
                    return
                gathering.facts.take(read_fact_file(name, file.read(FACT_BYTES)))
                known.size, known.mtime_ns = status.st_size, status.st_mtime_ns
                self.memory.files[key] = known
        except OSError as error:
            self._on_problem(f"{source.path}/{name}: {error.strerror or error}.")

    def _flush(self, source: SourceFolder, gathering: Gathering) -> None:
        memory = self.memory
        facts = gathering.facts
        facts.take(Facts(**memory.facts))
        for part in source.parts:
            facts.take(facts_of_name(part.path))
        memory.facts = dict(vars(facts))
        batch = gathering.batch(newest_mtime(source))
        for problem in gathering.problems:
            self._on_problem(f"{source.path}: {problem}")
        gathering.problems = []
        if batch is None:
            return
        self.folder.create()
        self.is_new = self.is_new or not self.folder.telemetry.exists()
        if not self.folder.telemetry.exists():
            write_blank(self.folder.telemetry)
        # The source is still there to be read anew, so a new file is made safe once, when it is complete.
        with closing(TelemetryDb(self.folder.telemetry, waits_for_disk=not self.is_new)) as db:
            batch.state = msgspec.to_builtins(memory)
            applied = db.apply(batch)
        if applied.points_left_out:
            problem = "more metrics than are kept; points of further names were left out."
            self._on_problem(f"{source.path}: {problem}")
        first = applied.first_tick_id
        self.ticks += [{"id": first + i, **tick} for i, tick in enumerate(batch.ticks)]
        new_points = NewPoints()
        new_points.add(applied.points)
        self.points = new_points.take()
