"""Reports of the reading process as rows of lab.db: one function per kind of report, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import LabError
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import EndReason, Progress, Run, RunStatus, Summary
from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.store import adoptions, events, runs

FOLLOWED_AGAIN = "Its folder is being written again; it is followed."


def known_beneath(conn: Connection, folder: str, *, restore: bool) -> list[m.Known]:
    """Runs that came from this folder before. With `restore`, deleted ones come back: the user asks for them."""
    known = []
    for row in adoptions.list_beneath(conn, folder):
        if row.is_deleted and restore:
            runs.patch(conn, row.run_id, deleted_at=None)
        is_followed = row.status is RunStatus.followed
        known.append(
            m.Known(
                row.folder,
                row.key,
                row.run_id,
                row.state.get("files", {}),
                is_followed,
                row.copied,
                row.is_archived,
                row.joined,
            )
        )
    return known


def write_reports(conn: Connection, reports: Sequence[m.Report]) -> list[Run]:
    """The runs that changed, each in its state after all reports."""
    found = [_new_run(report) for report in reports if isinstance(report, m.Found)]
    changed = {run.id: run for run in adoptions.insert_all(conn, found)}
    for report in reports:
        run = _write(conn, report)
        if run is not None:
            changed[run.id] = run
        if isinstance(report, m.Found | m.Grown):
            _append_notes(conn, report, changed)
    return list(changed.values())


def _append_notes(conn: Connection, report: m.Found | m.Grown, changed: Collection[str]) -> None:
    run_id = str(report.run["id"]) if isinstance(report, m.Found) else report.run_id
    for note in report.notes if run_id in changed else ():
        events.append(conn, run_id, event_log.EVENT_TYPES[note.type], note.message, data=note.data)


def _new_run(found: m.Found) -> adoptions.AdoptedRun:
    return adoptions.AdoptedRun(
        Run.model_validate(found.run), _state(found.files), _artifacts(found.artifacts)
    )


def _write(conn: Connection, report: m.Report) -> Run | None:
    match report:
        case m.Grown():
            return _grow(conn, report)
        case m.Quiet():
            return _end(conn, report)
        case _:
            return None


def _grow(conn: Connection, report: m.Grown) -> Run | None:
    run = _find(conn, report.run_id)
    if run is None:
        return None
    config = TrainConfig.model_validate(report.config)
    grown = run.model_copy(
        update={
            "progress": Progress.model_validate(report.progress),
            "summary": Summary.model_validate(report.summary),
            "config": config,
        }
    )
    is_ended = run.status is not RunStatus.followed
    ended_at = as_time(report.ended_at) if is_ended and not report.is_followed else None
    if report.joined is not None:
        grown = adoptions.put_joined(conn, grown, report.joined)
    adoptions.grow(conn, grown, _state(report.files), _artifacts(report.artifacts), ended_at)
    if is_ended and report.is_followed:
        return adoptions.follow_again(conn, grown, FOLLOWED_AGAIN)
    return runs.get(conn, run.id, include_deleted=True)


def _end(conn: Connection, report: m.Quiet) -> Run | None:
    run = _find(conn, report.run_id)
    if run is None:
        return None
    adoptions.put_files(conn, _artifacts(report.artifacts))
    to = RunStatus.lost if report.is_gone else RunStatus.succeeded
    return adoptions.end_following(conn, run.id, to, quiet_reason(report.is_gone), run.progress.last_event_at)


def _find(conn: Connection, run_id: str) -> Run | None:
    """A run may have been deleted for good while its folder was read."""
    try:
        return runs.get(conn, run_id, include_deleted=True)
    except LabError:
        return None


def quiet_reason(is_gone: bool) -> EndReason:
    if is_gone:
        return EndReason(
            cause="source-gone",
            message="The folder it was adopted from is not there any more; what was read of it stays.",
            next_step="Put the folder back and adopt it again to read on.",
        )
    return EndReason(
        cause="adopted",
        message="Adopted; its folder has not changed for a while and is not followed any more.",
        next_step="Adopt the folder again to read what is written later.",
    )


def as_time(t: float | None) -> datetime | None:
    return None if t is None else datetime.fromtimestamp(t, UTC)


def _state(files: m.FileStates) -> dict[str, Any]:
    return {"files": files}


def _artifacts(found: Sequence[dict[str, Any]]) -> list[Artifact]:
    return [Artifact.model_validate(one) for one in found]
