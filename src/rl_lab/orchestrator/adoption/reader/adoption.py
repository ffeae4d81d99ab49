"""An adoption at work: its folder is walked once, its sources are read, and what is being written is followed."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from rl_lab.analysis.adoption.clues import Clue
from rl_lab.analysis.adoption.joins import TrainingFolders
from rl_lab.orchestrator.adoption.reader import joining
from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.adoption.reader.adopted_runs import AdoptedRuns, Send
from rl_lab.orchestrator.adoption.reader.keeper import AdoptionLeft
from rl_lab.orchestrator.adoption.reader.pace import Followed, Pace
from rl_lab.orchestrator.adoption.reader.sources import (
    SourceFolder,
    file_states,
    join_folders,
    look_into,
    newest_mtime,
)
from rl_lab.orchestrator.adoption.reader.walk import Walk

LOOKED_EVERY_S = 0.25
Result = TypeVar("Result")


class Adoption:
    def __init__(
        self,
        home: Path,
        order: m.Adopt,
        send: Send,
        quiet_s: float,
        *,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """`pause` is called between two blocks of a file; AdoptionLeft from it ends the work."""
        self.is_over = False
        self._order = order
        self._send = send
        self._quiet_s = quiet_s
        self._runs = AdoptedRuns(home, order, send, quiet_s, pause=pause)
        self._walk = Walk(own=str(home.resolve()), on_problem=self._runs.report_problem)
        # A folder that an earlier lab followed is followed on only if it changes.
        self._pace = Pace(time.time() if order.is_new else 0.0)
        self._reported_at = 0.0

    def work(self) -> Iterator[None]:
        """The first time through, in small steps: all folders are found, then grouped, then read."""
        found: list[str] = []
        for path in self._walk.through(self._order.folder):
            self.report_progress()
            if path is not None:
                found.append(path)
            yield
        sources = yield from self._look_into_new(found)
        groups = yield from self._group(list(sources.values()))
        led = {group.main.path: group for group in groups if group.joined}
        joined = {path for group in led.values() for path in group.joined}
        for path in [path for path in dict.fromkeys([*found, *led]) if path not in joined]:
            self._guarded(path, partial(self._read_first, path, led.get(path), sources))
            self.report_progress()
            yield
        self._runs.report_found()
        self.report_progress(at_once=True)
        self._send(m.Done(self._order.id, is_followed=self._order.follow))
        self.is_over = not self._order.follow

    def look(self) -> None:
        """What changed since: followed runs, then folders with something new in them."""
        now = time.time()
        followed = self._runs.followed
        for one in list(followed.values()):
            if one.pace.next_at <= now:
                self._look_at(one)
        if self._pace.next_at <= now:
            self._pace.looked(self._look_for_new())
            self._runs.report_found()
            is_quiet = now - self._pace.changed_at > self._quiet_s
            if is_quiet and not followed:
                self._send(m.Left(self._order.id))
                self.is_over = True

    @property
    def next_at(self) -> float:
        return min([self._pace.next_at, *(one.pace.next_at for one in self._runs.followed.values())])

    def leave(self, run_id: str) -> None:
        self._runs.leave(run_id)

    def end(self, *, is_handed_over: bool) -> None:
        """The user does not want the folder to be followed any more."""
        self._runs.report_found()
        for followed in list(self._runs.followed.values()):
            if not is_handed_over:
                self._runs.end(followed.source, followed.run_id, followed.copied)
        self._send(m.Left(self._order.id))

    def _look_into_new(self, found: list[str]) -> Generator[None, None, dict[str, SourceFolder]]:
        """The sources that are no run yet, by their folders."""
        sources = {}
        for path in found:
            if path not in self._runs.known:
                source = self._guarded(path, partial(look_into, path))
                if source is not None:
                    sources[path] = source
                yield
        return sources

    def _group(
        self, new: list[SourceFolder], *, only_followed: bool = False
    ) -> Generator[None, None, list[TrainingFolders]]:
        """New sources in groups of one training each; without joining, one by one."""
        apart = [TrainingFolders(Clue(source.path, frozenset(source.data))) for source in new]
        if not self._order.join or not new:
            return apart
        runs = {known.run_id: known for known in self._runs.known.values() if not known.is_archived}
        known = []
        for one in runs.values():
            if one.run_id in self._runs.followed or not only_followed:
                source = self._guarded(one.folder, partial(joining.look_at_all, one.folder, one.joined))
                known += [] if source is None else [source]
        try:
            return (yield from joining.group(new, known))
        except OSError as error:
            self._runs.report_problem(f"No folders were joined: {error}.")
            return apart

    def _read_first(self, path: str, group: TrainingFolders | None, sources: dict[str, SourceFolder]) -> bool:
        if group is None:
            return self._read(path, sources.pop(path, None), is_first=True)
        parts = [sources.pop(part) for part in group.joined]
        if group.main.is_known:
            return self._runs.extend(self._runs.known[path], group.joined)
        return self._runs.make(join_folders(sources.pop(path), parts), group.joined)

    def _read_again(self, path: str) -> bool:
        """A new or known source; returns whether it changed anything."""
        return bool(self._guarded(path, partial(self._read, path)))

    def _read(self, path: str, source: SourceFolder | None = None, *, is_first: bool = False) -> bool:
        known = self._runs.known.get(path)
        if known is not None and known.joined and not self._order.join:
            self._runs.split(known)
            known = self._runs.known.get(path)
        if known is not None:
            return self._runs.read(known, is_first=is_first)
        source = source or look_into(path)
        if source is None:
            return False
        # A folder that appears while its training is followed joins it.
        for group in () if is_first else _finish(self._group([source], only_followed=True)):
            if path in group.joined:
                return self._runs.extend(self._runs.known[group.main.path], group.joined)
        return self._runs.make(source)

    def _guarded(self, path: str, work: Callable[[], Result]) -> Result | None:
        """One bad source affects no other."""
        try:
            return work()
        except AdoptionLeft:
            raise
        except OSError as error:
            self._runs.report_problem(f"{path}: {error.strerror or error}; it was left out.")
        except Exception as error:
            # The edge: an error in one folder must not affect the others.
            words = f"{type(error).__name__}: {str(error)[:200]}"
            self._runs.report_problem(f"{path}: it cannot be read ({words}).")
        return None

    def _look_at(self, followed: Followed) -> None:
        """One followed run: its files' sizes and times first, its bytes only when those changed."""
        source, pace, run_id = followed.source, followed.pace, followed.run_id
        states = file_states(source)
        if not any(part.prefix + name in states for part in source.parts for name in part.names):
            del self._runs.followed[run_id]
            self._send(m.Quiet(run_id, is_gone=True))
            return
        has_grown = states != self._runs.known[source.path].files and self._read_again(source.path)
        if run_id in self._runs.followed:
            pace.looked(has_grown)
            self._runs.followed[run_id].pace = pace
            if time.time() - max(pace.changed_at, newest_mtime(source)) > self._quiet_s:
                self._runs.end(source, run_id, followed.copied)

    def _look_for_new(self) -> bool:
        """Folders whose list of entries changed: new sources in them, and new files of known ones."""
        has_changed = False
        for path, mtime_ns in list(self._walk.folders.items()):
            try:
                now_ns = Path(path).stat(follow_symlinks=False).st_mtime_ns
            except OSError:
                del self._walk.folders[path]
                has_changed = True
                continue
            if now_ns != mtime_ns:
                has_changed = True
                self._look_through(path)
        for path in self._runs.barren:
            has_changed = self._read_again(path) or has_changed
        return has_changed

    def _look_through(self, path: str) -> None:
        self._walk.begin_again()
        seen = set(self._walk.folders) - {path}
        for found in self._walk.through(path, seen):
            if found is not None:
                self._read_again(found)

    def report_progress(self, at_once: bool = False) -> None:
        """At most a few times a second; the lab ends a process that reports nothing for long."""
        if at_once or time.monotonic() - self._reported_at > LOOKED_EVERY_S:
            self._reported_at = time.monotonic()
            self._send(m.Looked(self._order.id, self._walk.entries))


def _finish(steps: Generator[None, None, Result]) -> Result:
    """What a piece of work returns, done at once."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result
