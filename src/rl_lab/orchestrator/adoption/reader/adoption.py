"""An adoption at work: its folder is walked once, its sources are read, and what is being written is followed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from rl_lab.core.runs import new_run_id
from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.adoption.reader.copies import copy_files
from rl_lab.orchestrator.adoption.reader.descriptions import (
    describe_config,
    describe_files,
    describe_notes,
    describe_progress,
    describe_run,
    describe_summary,
)
from rl_lab.orchestrator.adoption.reader.keeper import Keeper, newest_mtime
from rl_lab.orchestrator.adoption.reader.sources import KEY, SourceFolder, look_into, stat_file
from rl_lab.orchestrator.adoption.reader.walk import Walk
from rl_lab.store.telemetry.blank_file import make_safe

FIRST_LOOK_S, LAST_LOOK_S, SLOWER = 1.0, 30.0, 1.6
"""What does not change is looked at less and less often."""
MAX_RUNS = 10_000
LOOKED_EVERY_S = 0.25
AT_ONCE = 32
DISK_THREADS = 8

Send = Callable[[m.Report], None]


@dataclass
class Pace:
    """When to look again, and when to stop looking."""

    changed_at: float
    """Unix time of the last change."""
    delay_s: float = FIRST_LOOK_S
    next_at: float = 0.0

    def looked(self, has_changed: bool) -> None:
        now = time.time()
        if has_changed:
            self.changed_at, self.delay_s = now, FIRST_LOOK_S
        else:
            self.delay_s = min(self.delay_s * SLOWER, LAST_LOOK_S)
        self.next_at = now + self.delay_s


@dataclass
class Followed:
    """A run whose source is looked at again and again."""

    source: SourceFolder
    run_id: str
    copied: bool
    pace: Pace


@dataclass
class Adoption:
    home: Path
    order: m.Adopt
    send: Send
    quiet_s: float
    pace: Pace = field(default_factory=lambda: Pace(time.time()))
    known: dict[str, m.Known] = field(default_factory=dict)
    """By the folder of the source; grows with what is found."""
    followed: dict[str, Followed] = field(default_factory=dict)
    """By run id."""
    barren: dict[str, m.FileStates] = field(default_factory=dict)
    """Sources that held no points yet, with how their files looked then."""
    left: set[str] = field(default_factory=set)
    """Runs the user does not want to be followed any more."""
    made: int = 0
    reported_at: float = 0.0
    is_over: bool = False

    def __post_init__(self) -> None:
        self.known = {known.folder: known for known in self.order.known}
        self._unreported: list[tuple[Path, m.Found]] = []
        self.walk = Walk(own=str(self.home.resolve()), on_problem=self.report_problem)
        if not self.order.is_new:
            self.pace.changed_at = 0.0

    def report_problem(self, message: str) -> None:
        self.send(m.Trouble(self.order.id, message[:2000]))

    def work(self) -> Iterator[None]:
        """The first time through, in small steps."""
        for path in self.walk.through(self.order.folder):
            self._report_progress()
            if path is not None:
                self.read(path, is_first=True)
            yield
        self._report_found()
        self._report_progress(at_once=True)
        self.send(m.Done(self.order.id, is_followed=self.order.follow))
        self.is_over = not self.order.follow

    def look(self) -> None:
        """What changed since: followed runs, then folders with something new in them."""
        now = time.time()
        for followed in list(self.followed.values()):
            if followed.pace.next_at <= now:
                self._look_at(followed)
        if self.pace.next_at <= now:
            self.pace.looked(self._look_for_new())
            self._report_found()
            is_quiet = now - self.pace.changed_at > self.quiet_s
            if is_quiet and not self.followed:
                self.send(m.Left(self.order.id))
                self.is_over = True

    @property
    def next_at(self) -> float:
        return min([self.pace.next_at, *(f.pace.next_at for f in self.followed.values())])

    def leave(self, run_id: str) -> None:
        self.left.add(run_id)
        self.followed.pop(run_id, None)

    def end(self, *, is_handed_over: bool) -> None:
        """The user does not want the folder to be followed any more."""
        self._report_found()
        for followed in list(self.followed.values()):
            if not is_handed_over:
                self._end(followed.source, followed.run_id, followed.copied)
        self.send(m.Left(self.order.id))

    def read(self, path: str, *, is_first: bool = False) -> bool:
        """Reads a new or known source; returns whether it changed anything. One bad source affects no other."""
        try:
            source = look_into(path)
            if source is None:
                return False
            for problem in source.problems:
                self.report_problem(f"{path}: {problem}")
            known = self.known.get(path)
            if known is None:
                return self._read_new(source)
            return self._read_known(source, known, is_first)
        except OSError as error:
            self.report_problem(f"{path}: {error.strerror or error}; it was left out.")
        except Exception as error:
            # The edge: an error in one folder must not affect the others.
            self.report_problem(f"{path}: it cannot be read ({type(error).__name__}: {str(error)[:200]}).")
        return False

    def _read_new(self, source: SourceFolder) -> bool:
        states = _states(source)
        if self.barren.get(source.path) == states:
            return False
        if self.made >= MAX_RUNS:
            if self.made == MAX_RUNS:
                self.made += 1
                self.report_problem(
                    f"More than {MAX_RUNS:,} runs; adopt the folders below one by one to read the rest."
                )
            return False
        keeper = Keeper(self.home, new_run_id(), self.report_problem)
        keeper.advance(source)
        if not keeper.memory.points:
            self.barren[source.path] = states
            return False
        self._make_run(keeper, source)
        return True

    def _make_run(self, keeper: Keeper, source: SourceFolder) -> None:
        order = self.order
        is_live = self._is_live(source, keeper)
        self._tell_cut(keeper, source, is_live)
        run = describe_run(
            keeper, source, order.folder, tags=order.tags, is_followed=is_live, copied=order.copy_files
        )
        _write_config(keeper)
        if order.copy_files:
            copy_files(keeper.folder, source, self.report_problem)
        files = describe_files(run.id, source, copied=order.copy_files)
        self._unreported.append(
            (
                keeper.folder.telemetry,
                m.Found(
                    order.id,
                    run.model_dump(mode="json"),
                    keeper.states,
                    [f.model_dump(mode="json") for f in files],
                    describe_notes(keeper),
                ),
            )
        )
        self.made += 1
        if len(self._unreported) >= AT_ONCE:
            self._report_found()
        self.known[source.path] = m.Known(source.path, KEY, run.id, keeper.states, is_live, order.copy_files)
        if is_live:
            self._follow(source, run.id, order.copy_files)

    def _report_found(self) -> None:
        """Reports runs once their telemetry is on the disk; several at a time, so that they wait together."""
        unsaid, self._unreported = self._unreported, []
        with ThreadPoolExecutor(DISK_THREADS) as waiting:
            list(waiting.map(make_safe, [path for path, _ in unsaid]))
        for _, found in unsaid:
            self.send(found)

    def _read_known(self, source: SourceFolder, known: m.Known, is_first: bool) -> bool:
        if known.run_id in self.left:
            return False
        if known.is_archived:
            return self._say_same(known, is_first)
        keeper = Keeper(self.home, known.run_id, self.report_problem)
        is_same = known.files == _states(source) and keeper.folder.telemetry.exists()
        may_be_live = known.is_followed or (self.order.is_new and self._is_young(source))
        if is_same and not (may_be_live and is_first):
            return self._say_same(known, is_first)
        keeper.load()
        has_grown = keeper.advance(source)
        is_live = self._is_live(source, keeper)
        if has_grown or keeper.states != known.files or (is_live and not known.is_followed):
            self._say_grown(keeper, source, is_live, known.copied)
        else:
            self._say_same(known, is_first)
        if is_live:
            self._follow(source, known.run_id, known.copied)
        elif known.is_followed:
            self._end(source, known.run_id, known.copied)
        self.known[source.path] = m.Known(
            source.path, known.key, known.run_id, keeper.states, is_live, known.copied
        )
        return has_grown

    def _tell_cut(self, keeper: Keeper, source: SourceFolder, is_live: bool) -> None:
        """An incomplete line in a file that is being written is not an error."""
        for name in () if is_live else keeper.cut:
            self.report_problem(f"{source.path}/{name}: its last line or record is cut; that was left out.")

    def _say_same(self, known: m.Known, is_first: bool) -> bool:
        if is_first:
            self.send(m.Same(self.order.id, known.run_id))
        return False

    def _say_grown(self, keeper: Keeper, source: SourceFolder, is_live: bool, copied: bool) -> None:
        memory, facts = keeper.memory, keeper.facts
        _write_config(keeper)
        files = describe_files(keeper.run_id, source, copied=copied)
        self.send(
            m.Grown(
                self.order.id,
                keeper.run_id,
                keeper.states,
                describe_progress(memory, facts, is_live).model_dump(mode="json"),
                describe_summary(memory).model_dump(mode="json"),
                describe_config(facts).model_dump(mode="json"),
                is_live,
                memory.standing.last_t,
                [f.model_dump(mode="json") for f in files],
                keeper.ticks,
                keeper.points,
                describe_notes(keeper),
            )
        )

    def _look_at(self, followed: Followed) -> None:
        """One followed run: its files' sizes and times first, its bytes only when those changed."""
        source, pace, run_id = followed.source, followed.pace, followed.run_id
        states = _states(source)
        if not any(name in states for name in source.names):
            del self.followed[run_id]
            self.send(m.Quiet(run_id, is_gone=True))
            return
        has_grown = states != self.known[source.path].files and self.read(source.path)
        if run_id in self.followed:
            pace.looked(has_grown)
            self.followed[run_id].pace = pace
            if time.time() - max(pace.changed_at, newest_mtime(source)) > self.quiet_s:
                self._end(source, run_id, followed.copied)

    def _end(self, source: SourceFolder, run_id: str, copied: bool) -> None:
        self.followed.pop(run_id, None)
        files = self.known[source.path].files
        self.known[source.path] = m.Known(source.path, KEY, run_id, files, False, copied)
        if copied:
            copy_files(Keeper(self.home, run_id, self.report_problem).folder, source, self.report_problem)
        listed = describe_files(run_id, source, copied=copied)
        self.send(m.Quiet(run_id, artifacts=[f.model_dump(mode="json") for f in listed]))

    def _look_for_new(self) -> bool:
        """Folders whose list of entries changed: new sources in them, and new files of known ones."""
        has_changed = False
        for path, mtime_ns in list(self.walk.folders.items()):
            try:
                now_ns = Path(path).stat(follow_symlinks=False).st_mtime_ns
            except OSError:
                del self.walk.folders[path]
                has_changed = True
                continue
            if now_ns != mtime_ns:
                has_changed = True
                self._look_through(path)
        for path in list(self.barren):
            has_changed = self.read(path) or has_changed
        return has_changed

    def _look_through(self, path: str) -> None:
        self.walk.begin_again()
        seen = set(self.walk.folders) - {path}
        for found in self.walk.through(path, seen):
            if found is not None:
                self.read(found)

    def _follow(self, source: SourceFolder, run_id: str, copied: bool) -> None:
        if run_id not in self.left:
            pace = Pace(min(time.time(), newest_mtime(source)), next_at=time.time() + FIRST_LOOK_S)
            self.followed[run_id] = Followed(source, run_id, copied, pace)

    def _is_live(self, source: SourceFolder, keeper: Keeper) -> bool:
        is_wanted = self.order.follow and keeper.run_id not in self.left
        return is_wanted and not keeper.facts.has_ended and self._is_young(source)

    def _is_young(self, source: SourceFolder) -> bool:
        return time.time() - newest_mtime(source) < self.quiet_s

    def _report_progress(self, at_once: bool = False) -> None:
        if at_once or time.monotonic() - self.reported_at > LOOKED_EVERY_S:
            self.reported_at = time.monotonic()
            self.send(m.Looked(self.order.id, self.walk.entries))


def _write_config(keeper: Keeper) -> None:
    """config.json, as every run has it; written again when the source has more facts about itself."""
    config = describe_config(keeper.facts).model_dump(mode="json")
    data = orjson.dumps(config, option=orjson.OPT_INDENT_2) + b"\n"
    path = keeper.folder.config
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


def _states(source: SourceFolder) -> m.FileStates:
    """Size and mtime of every file that is read."""
    names = {*source.names, *source.facts}
    found = {name: stat_file(source.path, name) for name in names}
    return {name: status for name, status in found.items() if status is not None}
