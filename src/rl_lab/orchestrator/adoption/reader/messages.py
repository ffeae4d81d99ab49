"""Messages between the lab and its reading process: JSON lines over the stdin and stdout of the process."""

from __future__ import annotations

from typing import Any

import msgspec

FileStates = dict[str, tuple[int, int]]
"""Path within the run's source → size in bytes and mtime in nanoseconds when it was last read."""


class Note(msgspec.Struct, frozen=True):
    """A line for the event log of the run."""

    type: str
    """A name in `core/event_log.py`."""
    message: str
    data: dict[str, Any] = {}


class _Message(msgspec.Struct, tag_field="type", omit_defaults=True):
    pass


class Known(msgspec.Struct, frozen=True):
    """A run that came from this folder before."""

    folder: str
    key: str
    run_id: str
    files: FileStates
    is_followed: bool = False
    copied: bool = False
    is_archived: bool = False
    """Its telemetry is packed; it is not read further until it is unpacked."""
    joined: dict[str, str] = {}
    """Further folders of the same training → why they are."""


class Adopt(_Message, tag="adopt"):
    """Read a folder; with `follow` keep reading while it grows."""

    id: str
    folder: str
    copy_files: bool = False
    follow: bool = True
    is_new: bool = True
    """False for a folder that an earlier lab followed: only a change keeps it followed."""
    tags: list[str] = []
    known: list[Known] = []
    join: bool = True
    """Folders of one training become one run; else joined runs are split."""


class LeaveRun(_Message, tag="leave_run"):
    """Stop following this run."""

    run_id: str


class LeaveFolder(_Message, tag="leave_folder"):
    """Stop following this adoption's folder."""

    id: str
    is_handed_over: bool = False
    """Another adoption follows its runs from now on."""


Order = Adopt | LeaveRun | LeaveFolder


class Looked(_Message, tag="looked"):
    id: str
    files: int


class Found(_Message, tag="found"):
    """A new run; its folder and telemetry are made."""

    id: str
    run: dict[str, Any]
    files: FileStates
    artifacts: list[dict[str, Any]] = []
    notes: list[Note] = []


class Grown(_Message, tag="grown"):
    """More of a run that was there already."""

    id: str
    run_id: str
    files: FileStates
    progress: dict[str, Any]
    summary: dict[str, Any]
    config: dict[str, Any]
    is_followed: bool
    """It is being written now."""
    ended_at: float | None = None
    artifacts: list[dict[str, Any]] = []
    ticks: list[dict[str, Any]] = []
    """With their ids, as stored."""
    points: dict[str, Any] = {}
    """The newest points, in the shape of a response with metrics; empty when there are none."""
    notes: list[Note] = []
    joined: dict[str, str] | None = None
    """The folders that belong to it from now on, besides its own; None when they did not change."""


class Same(_Message, tag="same"):
    """Nothing new in a run that was there already."""

    id: str
    run_id: str


class Trouble(_Message, tag="trouble"):
    """A file or folder that could not be read, with the reason."""

    id: str
    message: str


class Quiet(_Message, tag="quiet"):
    """A followed run has not grown for a while, or its source is gone: it is not followed any more."""

    run_id: str
    is_gone: bool = False
    artifacts: list[dict[str, Any]] = []


class Done(_Message, tag="done"):
    """Everything was looked at once."""

    id: str
    is_followed: bool


class Left(_Message, tag="left"):
    """The folder of this adoption is not followed any more."""

    id: str


Report = Looked | Found | Grown | Same | Trouble | Quiet | Done | Left


def _plain(array: Any) -> Any:
    """Columns of points are numpy arrays."""
    return array.tolist()


encoder = msgspec.json.Encoder(enc_hook=_plain)
orders: msgspec.json.Decoder[Order] = msgspec.json.Decoder(Order)
reports: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)
