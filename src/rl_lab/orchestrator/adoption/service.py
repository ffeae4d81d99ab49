"""Adoptions: folders of other tools that become runs; a separate process reads them, its reports go to lab.db."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core import event_log
from rl_lab.core.adoption import AdoptRequest, AdoptResult
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.protocol.ticks import Tick
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.adoption.readers import Readers, is_beneath
from rl_lab.orchestrator.adoption.rows import known_beneath, write_reports
from rl_lab.orchestrator.bus import metrics_topic, points_topic
from rl_lab.orchestrator.context import Context
from rl_lab.store import adoptions, runs
from rl_lab.store.files.folders import RunFolder

log = logging.getLogger(__name__)

RESULTS_KEPT = 100
RUN_IDS_KEPT = 100
TAG_CHARS = 64
PROBLEMS_KEPT = 50
RETRY_S = 0.5
RESTORE_S = 1.5
CRASHES = 3
"""A reading process that crashes this often in a row is not started again automatically."""
NO_FILES = ("proc", "sys")
"""Folders at the top without real files."""
LIVED_S = 60.0
"""A process that ran this long does not count as crashing in a row."""


class Adoptions:
    def __init__(self, context: Context) -> None:
        self._home = context.home
        self._db = context.db
        self._bus = context.bus
        self._changes = context.changes
        self._results: dict[str, AdoptResult] = {}
        self._wanted: dict[str, AdoptRequest] = {}
        """Requests of adoptions that are being read or followed."""
        self._readers = Readers(
            context.home, context.settings.follow_s, on_reports=self._write, on_exit=self._restart
        )
        self._crashes = 0
        self._restoring: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self._db.write(adoptions.mark_followed)
        self._restoring = asyncio.create_task(self._restore(), name="adoptions")

    async def close(self) -> None:
        """Folders that are followed are followed again by the next lab."""
        if self._restoring is not None:
            self._restoring.cancel()
            await asyncio.gather(self._restoring, return_exceptions=True)
        await self._readers.close()

    async def adopt(self, wanted: AdoptRequest) -> AdoptResult:
        """Starts an adoption; a folder that is already being adopted is not started a second time."""
        folder = await asyncio.to_thread(check_folder, self._home, wanted.folder)
        for result in self._results.values():
            if result.folder == folder and not result.is_done:
                return result
        result = AdoptResult(id=new_run_id(), folder=folder)
        # Stored before the first await, or two requests at the same time would start two.
        self._keep(result)
        try:
            await self._forget_same(folder)
            await self._begin(result, wanted, is_asked=True)
        except BaseException:
            if result.id not in self._wanted:
                del self._results[result.id]
            raise
        return result

    def results(self) -> list[AdoptResult]:
        return sorted(self._results.values(), key=lambda result: result.id, reverse=True)

    def result(self, adoption_id: str) -> AdoptResult:
        found = self._results.get(adoption_id)
        if found is None:
            raise NotFound(
                f"There is no adoption “{adoption_id}”.",
                next_step="Adopt the folder again: existing runs are found, not duplicated.",
            )
        return found

    async def stop(self, adoption_id: str) -> AdoptResult:
        """Reads no further block of a file and stops following the folder."""
        result = self.result(adoption_id)
        if adoption_id in self._wanted:
            await self._readers.leave(adoption_id)
        return result

    async def stop_following(self, run: Run) -> Run:
        """Stops reading the run's source; the program that writes there is not affected."""
        reason = EndReason(
            cause="not-followed",
            message="It is no longer followed; the program that writes into its folder is not affected.",
            next_step="Adopt the folder again to read what was written since.",
        )
        ended = await self._db.write(
            lambda conn: adoptions.end_following(conn, run.id, RunStatus.stopped, reason)
        )
        await self._readers.leave_run(run.id)
        if ended is not None:
            self._changes.run_changed(ended)
            return ended
        return await self._db.read(lambda conn: runs.get(conn, run.id))

    async def _forget_same(self, folder: str) -> None:
        """A folder followed by an earlier adoption is followed by the new one instead."""
        for adoption_id, result in list(self._results.items()):
            if result.folder == folder and adoption_id in self._wanted:
                await self._leave(adoption_id)
                await self._readers.hand_over(adoption_id)

    async def _begin(self, result: AdoptResult, wanted: AdoptRequest, *, is_asked: bool) -> None:
        known = await self._db.write(lambda conn: known_beneath(conn, result.folder, restore=is_asked))
        self._keep(result)
        self._wanted[result.id] = wanted
        tags = [tag.strip()[:TAG_CHARS] for tag in wanted.tags if tag.strip()]
        order = m.Adopt(
            result.id, result.folder, wanted.copy_files, wanted.follow, is_asked, tags, known, wanted.join
        )
        await self._readers.adopt(order)

    def _keep(self, result: AdoptResult) -> None:
        self._results[result.id] = result
        for old in sorted(self._results)[:-RESULTS_KEPT]:
            if old not in self._wanted:
                del self._results[old]

    async def _restore(self) -> None:
        """Follows the folders of the last lab again; after a delay, so that a lab for one command does not start it."""
        followed = await self._db.read(adoptions.list_followed)
        await asyncio.sleep(RESTORE_S)
        for adoption_id, wanted in followed.items():
            request = AdoptRequest(**wanted)
            if any(self._results[other].folder == request.folder for other in self._wanted):
                # The user adopted it again meanwhile.
                await self._db.write(partial(adoptions.forget_followed, adoption_id=adoption_id))
                continue
            await self._begin(AdoptResult(id=adoption_id, folder=request.folder), request, is_asked=False)
        await self._end_orphans()

    async def _end_orphans(self) -> None:
        """Ends runs marked as followed whose folder is not: their lab was killed in between."""
        folders = [self._results[adoption_id].folder for adoption_id in self._wanted]
        running = await self._db.read(adoptions.list_followed_runs)
        quiet = [m.Quiet(run_id) for run_id, folder in running if not is_beneath(folder, folders)]
        if quiet:
            for run in await self._db.write(lambda conn: write_reports(conn, quiet)):
                self._changes.run_changed(run)

    async def _write(self, reports: Sequence[m.Report]) -> None:
        """Writes one batch of reports in one transaction; tries until it is stored."""
        while True:
            try:
                changed = await self._db.write(lambda conn: write_reports(conn, reports))
                break
            except SQLAlchemyError as error:
                log.warning("adopted runs cannot be stored yet: %s", error)
                await asyncio.sleep(RETRY_S)
        stored = {run.id for run in changed}
        await self._drop_doubles(reports, stored)
        for report in reports:
            self._note(report, stored)
            if isinstance(report, m.Done) and report.is_followed and report.id in self._wanted:
                await self._remember(report.id)
            elif isinstance(report, m.Left) or (isinstance(report, m.Done) and not report.is_followed):
                await self._leave(report.id)
        for run in changed:
            self._changes.run_changed(run)
        self._readers.rest()

    async def _drop_doubles(self, reports: Sequence[m.Report], stored: set[str]) -> None:
        """Two overlapping adoptions may both create a run from one source; the second one is removed."""
        for report in reports:
            if isinstance(report, m.Found) and report.run["id"] not in stored:
                folder = RunFolder(self._home, str(report.run["id"])).path
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def _note(self, report: m.Report, stored: set[str]) -> None:
        """Updates the result; publishes what a followed run has gained."""
        if isinstance(report, m.Quiet):
            return
        if isinstance(report, m.Grown):
            self._publish(report)
        result = self._results.get(report.id)
        if result is None:
            return
        match report:
            case m.Looked():
                result.looked_at = report.files
            case m.Trouble():
                _add_problem(result, report.message)
            case m.Done():
                result.is_done, result.is_followed = True, report.is_followed
            case m.Left():
                result.is_done, result.is_followed = True, False
            case m.Found() | m.Grown() | m.Same():
                _count_run(result, report, stored)
                _add_joined(result, report)

    def _publish(self, report: m.Grown) -> None:
        for tick in report.ticks:
            self._bus.publish(metrics_topic(report.run_id), tick["id"], Tick(**tick))
        if report.points:
            self._bus.publish(points_topic(report.run_id), 0, report.points)

    async def _remember(self, adoption_id: str) -> None:
        wanted = self._wanted[adoption_id].model_dump(mode="json")
        wanted["folder"] = self._results[adoption_id].folder
        await self._db.write(lambda conn: adoptions.put_followed(conn, adoption_id, wanted))

    async def _leave(self, adoption_id: str) -> None:
        if self._wanted.pop(adoption_id, None) is not None:
            await self._db.write(lambda conn: adoptions.forget_followed(conn, adoption_id))

    async def _restart(self, lost: set[str], why: str, lived_s: float | None) -> None:
        """A reading process exited: its followed folders begin again; all, if it was killed because of another one."""
        log.warning("a reading process of adoptions exited: %s", why)
        is_killed = lived_s is None
        if lived_s is not None:
            self._crashes = 1 if lived_s > LIVED_S else self._crashes + 1
        for adoption_id in sorted(lost & self._wanted.keys()):
            result = self._results[adoption_id]
            if is_killed or (result.is_done and self._crashes < CRASHES):
                await self._begin(result, self._wanted[adoption_id], is_asked=not result.is_done)
                continue
            result.problems.append(f"Reading ended too early: {why} Adopt the folder again to continue.")
            result.is_done, result.is_followed = True, False
            await self._leave(adoption_id)
        await self._end_orphans()


def _count_run(result: AdoptResult, report: m.Found | m.Grown | m.Same, stored: set[str]) -> None:
    """Whether the run of a source is new, has grown or is as before."""
    match report:
        case m.Found() if str(report.run["id"]) not in stored:
            result.unchanged += 1  # another adoption was first
        case m.Found():
            result.adopted += 1
            _name_run(result, str(report.run["id"]))
        case m.Grown() if not result.is_done:
            result.updated += 1
            _name_run(result, report.run_id)
        case m.Same():
            result.unchanged += 1
            _name_run(result, report.run_id)


def _add_joined(result: AdoptResult, report: m.Found | m.Grown | m.Same) -> None:
    for note in () if isinstance(report, m.Same) else report.notes:
        if note.type == event_log.JOINED.name and len(result.joined) < PROBLEMS_KEPT:
            result.joined.append(note.message)


def _name_run(result: AdoptResult, run_id: str) -> None:
    if len(result.run_ids) < RUN_IDS_KEPT:
        result.run_ids.append(run_id)


def _add_problem(result: AdoptResult, message: str) -> None:
    if len(result.problems) < PROBLEMS_KEPT and message not in result.problems:
        result.problems.append(message)


def check_folder(home: Path, wanted: str) -> str:
    """The real path of a folder that can be adopted; InvalidInput otherwise."""
    if "\x00" in wanted:
        raise InvalidInput.of_field("folder", "A path cannot contain a NUL character.")
    if not wanted.startswith(("/", "~")):
        raise InvalidInput.of_field("folder", f"“{wanted}” is not an absolute path; begin it with / or ~.")
    try:
        real = Path(wanted).expanduser().resolve(strict=True)
        is_folder = real.is_dir()
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput.of_field("folder", f"“{wanted}” cannot be opened: {reason}.") from None
    if not is_folder:
        raise InvalidInput.of_field("folder", f"“{wanted}” is a file; name the folder that contains it.")
    if real == Path("/") or real.parts[1] in NO_FILES:
        raise InvalidInput.of_field("folder", f"{real} belongs to the system; name the folder with the runs.")
    own = home.resolve()
    if real == own or own in real.parents:
        raise InvalidInput.of_field("folder", "This is the lab's own folder; its runs are listed already.")
    return str(real)
