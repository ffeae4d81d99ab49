"""launch.json and exit.json of an attempt: their fields, declared once for the guardian and for the orchestrator.

The orchestrator writes launch.json and reads exit.json; the guardian does the opposite. Both files may come from
another version: unknown keys are ignored, missing keys get their default. A value of a wrong type raises ValueError.
Named tuples, because importing `dataclasses` would delay the start of every guardian.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from rl_lab.core.bounds import MAX_LINE_BYTES
from rl_lab.core.own_environments import APPROVED_VERSIONS, OWN_ENVIRONMENTS

LAUNCH_FILE = "launch.json"
EXIT_FILE = "exit.json"
SHORTEST_LINE_LIMIT = 1024
PRIVATE_UMASK = 0o077
"""Files of the lab and its guardians are for their user only."""

Level = Literal["confined", "partly", "none"]


class OutputLimits(NamedTuple):
    """How much of a worker's output is kept in one file or one line."""

    journal_segment_bytes: int = 64 << 20
    log_bytes: int = 10 << 20
    line_bytes: int = MAX_LINE_BYTES
    """A longer line of the journal is replaced by a warning."""


class Confinement(NamedTuple):
    """What a foreign program may use; applied by `guardian/confinement/rules.py`."""

    level: Level = "none"
    """As in `core.commands.Isolation`; recorded with the run."""
    note: str = ""
    """What cannot be restricted on this machine; empty when everything is."""
    landlock: int = 0
    """The Landlock ABI to use; 0 = none."""
    seccomp: bool = False
    reads: Sequence[str] = ()
    writes: Sequence[str] = ()
    network: bool = False
    file_bytes: int = 0
    """Largest file it may write; 0 = no limit."""
    memory_bytes: int = 0
    """Address space; 0 = no limit."""
    resident_bytes: int = 0
    """Most memory in use by all its processes together, and most bytes in a /dev/shm of its own; 0 = no limit."""
    processes: int = 0
    """Most living processes at once; 0 = no limit."""
    threads: int = 0
    """Most threads at once, of all processes together; 0 = no limit."""
    uid: int = -1
    """The user it becomes, where the lab runs as root; -1 = the lab's own. It has no capability in either case."""
    gid: int = -1
    """The group of that user, its only one."""
    own_shared_memory: bool = False
    """It gets a /dev/shm of its own, which ends with its last process."""
    own_environments: str = ""
    """Folder of the environments that the user wrote; it may read them, and finds the folder in a variable. Processes
    that are not confined are never told, so they cannot execute this code."""
    approved_versions: Sequence[str] = ()
    """Without Landlock: which of them it may execute, because the user has approved their contents."""


class Launch(NamedTuple):
    """launch.json: which command the guardian starts, and how."""

    argv: list[str]
    cwd: str | None = None
    env: Mapping[str, str] | None = None
    """All variables of the program; None = the guardian's own."""
    inherit: Sequence[str] = ()
    """Variables passed on from the guardian's own: their values are secret and are in no file."""
    stop_grace_s: float = 20.0
    """Seconds between a stop command and SIGTERM."""
    kill_grace_s: float = 10.0
    """Seconds between SIGTERM and SIGKILL."""
    limits: OutputLimits = OutputLimits()
    confine: Confinement | None = None
    """None for the lab's own workers."""
    umask: int = -1
    """For a program that writes the user's own files: the user's mask for new files; -1 = the guardian's."""
    agreed: Mapping[str, str] | None = None
    """Files of the program with their SHA-256: it is not started when one differs. None = none are compared."""
    keeps_priority: bool = False
    """Of a confined process that a learner waits for: it does not give way to trainings after its start."""


class ExitRecord(NamedTuple):
    """exit.json: how a worker ended. The defaults describe a worker that never started."""

    exit_code: int | None = None
    signal: int | None = None
    oom: bool = False
    """Killed by the kernel because memory ran out."""
    stopped: bool = False
    """A stop was requested."""
    killed_by: str | None = None
    """"kill" (the command), "ladder" (it ignored a stop), "limit" (too many processes or threads) or "memory"."""
    started_at: float = 0.0
    ended_at: float = 0.0
    journal_bytes: int = 0
    dropped_lines: int = 0
    max_rss_bytes: int = 0
    """Most memory of the worker itself."""
    peak_memory_bytes: int = 0
    """Most memory of all its processes together, as far as the guardian saw it."""
    cpu_s: float = 0.0
    """Processor time of all its processes."""
    error: str | None = None


def confined_variables(confine: Confinement | None) -> dict[str, str]:
    """Variables that only a confined program gets."""
    if confine is None or not confine.own_environments:
        return {}
    approved = {} if confine.landlock else {APPROVED_VERSIONS: " ".join(confine.approved_versions)}
    return {OWN_ENVIRONMENTS: confine.own_environments, **approved}


def read_launch(data: bytes) -> Launch:
    """ValueError when it is not JSON, names no command, or has a value of a wrong type."""
    given = _fields(Launch, json.loads(data))
    if not given.get("argv"):
        raise ValueError("argv is missing")
    limits = OutputLimits(**_fields(OutputLimits, given.get("limits") or {}))
    confine = given.get("confine")
    return Launch(**given)._replace(
        limits=OutputLimits(
            max(1, limits.journal_segment_bytes),
            max(1, limits.log_bytes),
            max(SHORTEST_LINE_LIMIT, limits.line_bytes),
        ),
        confine=None if confine is None else confinement_of(confine),
    )


def confinement_of(given: Any) -> Confinement:
    return Confinement(**_fields(Confinement, given))


def read_exit_record(data: bytes) -> ExitRecord:
    """ValueError when it is not JSON or has a value of a wrong type."""
    return ExitRecord(**_fields(ExitRecord, json.loads(data)))


def write_record(record: Launch | ExitRecord) -> bytes:
    return json.dumps(as_json(record), indent=2).encode()


def as_json(record: NamedTuple) -> dict[str, Any]:
    """The record as an object with the names of its fields, nested records too."""
    return {
        name: as_json(value) if hasattr(value, "_asdict") else value
        for name, value in record._asdict().items()
    }


_TYPES: dict[str, tuple[type, ...]] = {
    "agreed": (dict, type(None)),
    "argv": (list,),
    "cwd": (str, type(None)),
    "env": (dict, type(None)),
    "limits": (dict, type(None)),
    "confine": (dict, type(None)),
    "exit_code": (int, type(None)),
    "signal": (int, type(None)),
    "killed_by": (str, type(None)),
    "error": (str, type(None)),
}
"""JSON types of the fields whose default does not show theirs."""
_JSON_TYPES: dict[type, tuple[type, ...]] = {float: (int, float), tuple: (list,)}


def _fields(kind: Any, given: Any) -> dict[str, Any]:
    """The entries that are fields of `kind`, each of the right type."""
    if not isinstance(given, dict):
        raise ValueError(f"{kind.__name__} must be a JSON object")
    found = {name: value for name, value in given.items() if name in kind._fields}
    for name, value in found.items():
        default = type(kind._field_defaults.get(name))
        if not isinstance(value, _TYPES.get(name) or _JSON_TYPES.get(default, (default,))):
            raise ValueError(f"{name} has the wrong type: {type(value).__name__}")
    return found
