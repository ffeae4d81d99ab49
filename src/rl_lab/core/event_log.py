"""The event log of a run: its lines, and every type of line that the lab writes.

A worker or a script may also log lines of its own: then the type is the code that it sent, or `log`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, WithJsonSchema

from rl_lab.core.jobs import KINDS, RunKind
from rl_lab.core.runs import RunStatus

Level = Literal["debug", "info", "warning", "error"]
SCHEMA = {"anyOf": [{"$ref": "#/components/schemas/EventType"}, {"type": "string"}]}
"""Types of other versions of the lab, and the codes of scripts, are served as they are."""


class RunEvent(BaseModel, frozen=True):
    """One line of a run's event log."""

    id: int
    run_id: str
    at: datetime
    level: Level = "info"
    type: Annotated[str, WithJsonSchema(SCHEMA)]
    message: str
    data: dict[str, Any] = {}


@dataclass(frozen=True)
class EventType:
    """A type of line; `level` is the usual one."""

    name: str
    level: Level = "info"
    meaning: str = ""


class JobEvents(NamedTuple):
    """The lines that a job leaves in the event log of its training."""

    started: EventType
    complete: EventType
    ended: EventType


EVENT_TYPES: dict[str, EventType] = {}
"""Every type of line that the lab writes, by name."""


def _declare(name: str, level: Level, meaning: str) -> EventType:
    EVENT_TYPES[name] = found = EventType(name, level, meaning)
    return found


ADOPTED = _declare("adopted", "info", "The run was read from the folder of another tool.")
RUN_QUEUED = _declare("run_queued", "info", "The run waits for a slot; the message has its place.")
RUN_STARTING = _declare("run_starting", "info", "The worker process is being started.")
TRAINING_STARTED = _declare("training_started", "info", "The worker has sent its first event.")
RUN_RUNNING = _declare("run_running", "info", "The run is running.")
RUN_PAUSED = _declare("run_paused", "info", "The run has paused.")
RUN_RESUMED = _declare("run_resumed", "info", "The run continues after a pause.")
RUN_STOPPING = _declare("run_stopping", "info", "The run was asked to stop.")
RUN_KILLED = _declare("run_killed", "warning", "The run was asked to end at once, without a checkpoint.")
RUN_SUCCEEDED = _declare("run_succeeded", "info", "The run has finished.")
RUN_STOPPED = _declare("run_stopped", "info", "The run has stopped, as asked.")
RUN_FAILED = _declare("run_failed", "error", "The run has failed; `data.reason` has the cause.")
RUN_LOST = _declare("run_lost", "error", "The worker disappeared without a final event.")
PAUSE_WITHDRAWN = _declare("pause_withdrawn", "warning", "The worker could not pause in time and continues.")
STALLED = _declare("stalled", "warning", "The worker has sent nothing for minutes.")
STORING_DELAYED = _declare(
    "storing_delayed", "warning", "Events wait because the database cannot be written."
)

CONFINED = _declare("confined", "info", "The script runs confined to its folders.")
NOT_ISOLATED = _declare("not_isolated", "warning", "The script runs with little or no isolation.")
DISK_ALMOST_FULL = _declare("disk-almost-full", "error", "The lab stopped the run: the disk is almost full.")
FOLDER_TOO_LARGE = _declare("folder-too-large", "error", "The lab stopped the run: its folder is too large.")
ENVIRONMENT_RENAMED = _declare("environment_renamed", "info", "The environment was found under its new name.")

CHECKPOINT_SAVED = _declare("checkpoint_saved", "info", "The worker saved a checkpoint.")
ARTIFACT_SAVED = _declare("artifact_saved", "info", "The worker saved a file.")
FILES_LEFT_OUT = _declare(
    "files_left_out", "warning", "Too many files were reported; the others are not listed."
)
PATH_REFUSED = _declare("path_refused", "warning", "The worker reported a file outside its run folder.")
WORKER_CONFIG = _declare("worker_config", "debug", "Versions, hardware and arguments of the worker.")
TOO_MANY_METRICS = _declare("too_many_metrics", "warning", "The worker sent too many different metrics.")
LOGS_LEFT_OUT = _declare("logs_left_out", "warning", "Log lines came too fast and were left out.")
BROKEN_LINE = _declare("broken_line", "warning", "A line of the worker is not an event of the protocol.")
LOG = _declare("log", "info", "A line that the worker logged without a code.")

CLIP_SAVED = _declare("clip_saved", "info", "The last seconds of the live feed were saved.")
MODEL_EXPORTED = _declare(
    "model_exported", "info", "A checkpoint was written in the format of another library."
)
TENSORBOARD_EXPORTED = _declare("tensorboard_exported", "info", "The curves were written as event files.")
ARTIFACT_PINNED = _declare("artifact_pinned", "info", "A file was marked to be kept, or no longer.")
ARTIFACT_DELETED = _declare("artifact_deleted", "info", "A user deleted a file of the run.")
PRUNED = _declare("pruned", "info", "Old files were deleted by the rules of retention.")
ARCHIVED = _declare("archived", "info", "The folder of the archived run was packed.")
ARCHIVE_OPENED = _declare("archive_opened", "debug", "The packed folder was unpacked to be read.")
ARCHIVE_FAILED = _declare("archive_failed", "warning", "The folder could not be packed.")
RESTORED = _declare("restored", "info", "The run is no longer archived; its folder was unpacked.")
FOLLOW_UP_FAILED = _declare("follow_up_failed", "warning", "What should follow the end of the run failed.")

STATUS_EVENTS: dict[RunStatus, EventType] = {
    RunStatus.queued: RUN_QUEUED,
    RunStatus.starting: RUN_STARTING,
    RunStatus.running: RUN_RUNNING,
    RunStatus.paused: RUN_PAUSED,
    RunStatus.stopping: RUN_STOPPING,
    RunStatus.succeeded: RUN_SUCCEEDED,
    RunStatus.failed: RUN_FAILED,
    RunStatus.stopped: RUN_STOPPED,
    RunStatus.lost: RUN_LOST,
}
"""What is written when a run enters a state, unless the caller names another type."""

WORKER_EVENTS: dict[str, EventType] = {
    "hello": _declare("worker_hello", "info", "Message of the worker at its start."),
    "progress": _declare("worker_progress", "info", "Message of the worker about its progress."),
    "paused": _declare("worker_paused", "info", "Message of the worker at a pause."),
    "resumed": _declare("worker_resumed", "info", "Message of the worker after a pause."),
    "stopping": _declare("worker_stopping", "info", "Message of the worker when it stops."),
}
"""Messages that come with a status event of the protocol, by its state."""


def _declare_job(kind: RunKind, noun: str) -> JobEvents:
    return JobEvents(
        _declare(f"{kind}_started", "info", f"A job was started: {noun}; `data.run_id` is its run."),
        _declare(f"{kind}_complete", "info", f"A job has finished: {noun}; its result in one sentence."),
        _declare(f"{kind}_ended", "warning", f"A job has ended without a result: {noun}."),
    )


JOB_EVENTS: dict[RunKind, JobEvents] = {kind: _declare_job(kind, found.noun) for kind, found in KINDS.items()}
"""Each kind of job has its own types of lines: evaluate_started, evaluate_complete, evaluate_ended."""
