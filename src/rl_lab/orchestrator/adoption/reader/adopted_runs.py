"""The runs of one adoption: sources become new runs, known runs grow, are extended by a folder, split or ended."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import orjson

from rl_lab.core.run_ids import new_run_id
from rl_lab.orchestrator.adoption.reader import joining
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
from rl_lab.orchestrator.adoption.reader.keeper import AdoptionLeft, Keeper
from rl_lab.orchestrator.adoption.reader.pace import FIRST_LOOK_S, Followed, Pace
from rl_lab.orchestrator.adoption.reader.sources import KEY, SourceFolder, file_states, newest_mtime
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry.blank_file import make_safe

MAX_RUNS = 10_000
AT_ONCE = 32
DISK_THREADS = 8

Send = Callable[[m.Report], None]
Joined = dict[str, str]
"""Further folders of a run's training → why they are."""


class AdoptedRuns:
    def __init__(
        self, home: Path, order: m.Adopt, send: Send, quiet_s: float, *, pause: Callable[[], None]
    ) -> None:
        self.known: dict[str, m.Known] = {}
        """By each folder of the source; grows with what is found."""
        self.followed: dict[str, Followed] = {}
        """By run id."""
        self.left: set[str] = set()
        """Runs the user does not want to be followed any more."""
        self._home = home
        self._order = order
        self._send = send
        self._quiet_s = quiet_s
        self._pause = pause
        self._barren: dict[str, m.FileStates] = {}
        self._made = 0
        self._read_once: set[str] = set()
        """Runs that were reported in the first pass, which meets every folder of a joined run."""
        self._unreported: list[tuple[Path, m.Found]] = []
        for known in order.known:
            path = known.folder if known.key == KEY else f"{known.folder}/{known.key}"
            self._remember(msgspec.structs.replace(known, folder=path))

    @property
    def barren(self) -> list[str]:
        """Sources that held no points yet."""
        return list(self._barren)

    def report_problem(self, message: str) -> None:
        self._send(m.Trouble(self._order.id, message[:2000]))

    def make(self, source: SourceFolder, joined: Joined | None = None) -> bool:
        """A new run, unless the source holds no points yet."""
        states = file_states(source)
        if self._barren.get(source.path) == states or not self._has_room():
            return False
        self._report_problems(source)
        keeper = self._keeper(new_run_id())
        try:
            keeper.advance(source)
        except AdoptionLeft:
            shutil.rmtree(keeper.folder.path, ignore_errors=True)
            raise
        if not keeper.memory.points:
            self._barren[source.path] = states
            return False
        self._make_run(keeper, source, joined or {})
        return True

    def read(self, known: m.Known, *, is_first: bool) -> bool:
        """What is new in the files of a known run; returns whether there was anything."""
        if known.run_id in self.left or (is_first and known.run_id in self._read_once):
            return False
        self._read_once.add(known.run_id)
        source = joining.look_at_all(known.folder, known.joined)
        if source is None:
            return False
        self._report_problems(source)
        if known.is_archived:
            return self._say_same(known, is_first)
        keeper = self._keeper(known.run_id)
        is_same = known.files == file_states(source) and keeper.folder.telemetry.exists()
        may_be_live = known.is_followed or (self._order.is_new and self._is_young(source))
        if is_same and not (may_be_live and is_first):
            return self._say_same(known, is_first)
        keeper.load()
        has_grown = keeper.advance(source)
        is_live = self._is_live(source, keeper)
        if has_grown or keeper.states != known.files or (is_live and not known.is_followed):
            self._say_grown(keeper, source, known, is_live=is_live)
        else:
            self._say_same(known, is_first)
        if is_live:
            self._follow(source, known.run_id, known.copied)
        elif known.is_followed:
            self.end(source, known.run_id, known.copied)
        self._remember(msgspec.structs.replace(known, files=keeper.states, is_followed=is_live))
        return has_grown

    def extend(self, known: m.Known, joined: Joined) -> bool:
        """Further folders of its training: all is read anew, each metric from the file that knows it best."""
        self._read_anew(known, {**known.joined, **joined})
        return True

    def split(self, known: m.Known) -> None:
        """The folders of a joined run are kept apart from now on."""
        for path in known.joined:
            del self.known[path]
        self._read_anew(known, {})

    def leave(self, run_id: str) -> None:
        self.left.add(run_id)
        self.followed.pop(run_id, None)

    def end(self, source: SourceFolder, run_id: str, copied: bool) -> None:
        """It is not followed any more."""
        self.followed.pop(run_id, None)
        self._remember(msgspec.structs.replace(self.known[source.path], is_followed=False))
        if copied:
            self._copy(run_id, source)
        listed = describe_files(run_id, source, copied=copied)
        self._send(m.Quiet(run_id, artifacts=[f.model_dump(mode="json") for f in listed]))

    def report_found(self) -> None:
        """Reports runs once their telemetry is on the disk; several at a time, so that they wait together."""
        unsaid, self._unreported = self._unreported, []
        with ThreadPoolExecutor(DISK_THREADS) as waiting:
            list(waiting.map(make_safe, [path for path, _ in unsaid]))
        for _, found in unsaid:
            self._send(found)

    def _has_room(self) -> bool:
        if self._made == MAX_RUNS:
            self._made += 1
            self.report_problem(
                f"More than {MAX_RUNS:,} runs; adopt the folders below one by one to read the rest."
            )
        return self._made < MAX_RUNS

    def _make_run(self, keeper: Keeper, source: SourceFolder, joined: Joined) -> None:
        order = self._order
        is_live = self._is_live(source, keeper)
        self._tell_cut(keeper, source, is_live)
        run = describe_run(
            keeper,
            source,
            order.folder,
            tags=order.tags,
            is_followed=is_live,
            copied=order.copy_files,
            joined=joined,
        )
        _write_config(keeper)
        if order.copy_files:
            self._copy(keeper.run_id, source)
        files = describe_files(run.id, source, copied=order.copy_files)
        found = m.Found(
            order.id,
            run.model_dump(mode="json"),
            keeper.states,
            [f.model_dump(mode="json") for f in files],
            [*([joining.note(source.path, joined)] if joined else []), *describe_notes(keeper)],
        )
        self._unreported.append((keeper.folder.telemetry, found))
        self._made += 1
        if len(self._unreported) >= AT_ONCE:
            self.report_found()
        states = keeper.states
        self._remember(
            m.Known(source.path, source.key, run.id, states, is_live, order.copy_files, joined=dict(joined))
        )
        if is_live:
            self._follow(source, run.id, order.copy_files)

    def _read_anew(self, known: m.Known, joined: Joined) -> None:
        source = joining.look_at_all(known.folder, joined)
        if source is None:
            return
        self.report_found()  # the run itself may not be reported yet
        keeper = self._keeper(known.run_id)
        keeper.forget()
        keeper.advance(source)
        is_live = self._is_live(source, keeper)
        self._read_once.add(known.run_id)
        self._say_grown(keeper, source, known, is_live=is_live, joined=joined)
        if known.copied:
            self._copy(keeper.run_id, source)
        changed = msgspec.structs.replace(known, files=keeper.states, is_followed=is_live, joined=joined)
        self._remember(changed)
        self.followed.pop(known.run_id, None)
        if is_live:
            self._follow(source, known.run_id, known.copied)

    def _keeper(self, run_id: str) -> Keeper:
        return Keeper(self._home, run_id, self.report_problem, self._pause)

    def _copy(self, run_id: str, source: SourceFolder) -> None:
        copy_files(RunFolder(self._home, run_id), source, self.report_problem, self._pause)

    def _remember(self, known: m.Known) -> None:
        for folder in (known.folder, *known.joined):
            self.known[folder] = known
            self._barren.pop(folder, None)

    def _report_problems(self, source: SourceFolder) -> None:
        for part in source.parts:
            for problem in part.problems:
                self.report_problem(f"{part.path}: {problem}")

    def _tell_cut(self, keeper: Keeper, source: SourceFolder, is_live: bool) -> None:
        """An incomplete line in a file that is being written is not an error."""
        for path in () if is_live else keeper.cut:
            self.report_problem(f"{path}: its last line or record is cut; that was left out.")

    def _say_same(self, known: m.Known, is_first: bool) -> bool:
        if is_first:
            self._send(m.Same(self._order.id, known.run_id))
        return False

    def _say_grown(
        self,
        keeper: Keeper,
        source: SourceFolder,
        known: m.Known,
        *,
        is_live: bool,
        joined: Joined | None = None,
    ) -> None:
        memory, facts = keeper.memory, keeper.facts
        _write_config(keeper)
        files = describe_files(keeper.run_id, source, copied=known.copied)
        self._send(
            m.Grown(
                self._order.id,
                keeper.run_id,
                keeper.states,
                describe_progress(memory, facts, is_live).model_dump(mode="json"),
                describe_summary(keeper).model_dump(mode="json"),
                describe_config(facts).model_dump(mode="json"),
                is_live,
                memory.standing.last_t,
                [f.model_dump(mode="json") for f in files],
                keeper.ticks,
                keeper.points,
                [*([] if joined is None else [joining.note(source.path, joined)]), *describe_notes(keeper)],
                joined,
            )
        )

    def _follow(self, source: SourceFolder, run_id: str, copied: bool) -> None:
        if run_id not in self.left:
            pace = Pace(min(time.time(), newest_mtime(source)), next_at=time.time() + FIRST_LOOK_S)
            self.followed[run_id] = Followed(source, run_id, copied, pace)

    def _is_live(self, source: SourceFolder, keeper: Keeper) -> bool:
        is_wanted = self._order.follow and keeper.run_id not in self.left
        return is_wanted and not keeper.facts.has_ended and self._is_young(source)

    def _is_young(self, source: SourceFolder) -> bool:
        return time.time() - newest_mtime(source) < self._quiet_s


def _write_config(keeper: Keeper) -> None:
    """config.json, as every run has it; written again when the source has more facts about itself."""
    config = describe_config(keeper.facts).model_dump(mode="json")
    data = orjson.dumps(config, option=orjson.OPT_INDENT_2) + b"\n"
    path = keeper.folder.config
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)
