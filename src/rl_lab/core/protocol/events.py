"""The worker protocol: one class per type of event a worker may send.

Every field that a simple script may not know is optional, and unknown fields are ignored.
`core/protocol/lines.py` decodes and encodes events.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, Literal

import msgspec

Number = float | str
"""JSON has no NaN: workers write "nan", "inf" or "-inf"; `core.protocol.as_float` reads all of them."""


class Event(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="type"):
    v: int = 1
    """Version of this schema."""
    seq: int | None = None
    """Increases by one with each line of a worker; a gap means that lines were lost."""
    t: float | None = None
    """Unix time in seconds."""


class ConfigEvent(Event, tag="config"):
    """What the worker is running; sent once, before the first step."""

    run_id: str | None = None
    algo: str | None = None
    env_id: str | None = None
    seed: int | None = None
    args: dict[str, Any] = {}
    env_kwargs: dict[str, Any] = {}
    env_version: str | None = None
    """Package and version the environment comes from, e.g. "gymnasium 1.4.0"."""
    wrappers: list[str] = []
    action: dict[str, Any] | None = None
    """How recorded actions are packed; see `portable/recorder.py`."""
    n_envs: int = 1
    versions: dict[str, str] = {}
    hardware: dict[str, Any] = {}


class SnapshotEvent(Event, tag="snapshot"):
    """Software and hardware of the process: kept as the run's snapshot.json."""

    data: dict[str, Any] = {}
    """As `portable/snapshot.py` makes it."""


class EnvironmentEvent(Event, tag="environment"):
    """Environments of a captured script that share one role; sent again when the role changes, and at the end."""

    env_group: int = 1
    """Number of the group in the run, from 1; its episodes carry it."""
    env_id: str = ""
    env_kwargs: dict[str, Any] = {}
    env_version: str | None = None
    wrappers: list[str] = []
    action: dict[str, Any] | None = None
    count: int = 1
    """Environments that are stepped at once."""
    made: int = 1
    """How many were made one after the other."""
    role: Literal["training", "evaluation"] = "training"
    why: str = ""
    """What the role was decided by, as text."""
    steps: int = 0
    """Steps taken in it so far."""


class StepEvent(Event, tag="step"):
    """One environment step; sampled by the lab when there are too many."""

    episode_id: str | int | None = None
    step: int = 0
    action: Any = None
    reward: float | None = None
    terminated: bool = False
    truncated: bool = False
    obs: Any = None
    info: Any = None


class Trace(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Consecutive steps of one recorded episode; binary columns are written in base64."""

    start: int = 0
    """Steps of the episode before the first one here; they were sent earlier, in `steps` events."""
    count: int = 0
    """Steps in this trace."""
    actions: bytes = b""
    """Packed as `config.action` says."""
    rewards: bytes = b""
    """float32, one per step; only for environments that are not deterministic."""
    values: bytes = b""
    """float16, one per step: the policy's value (or greatest Q) of the state it acted in."""
    chosen: bytes = b""
    """uint8, one per step: probability of the action taken × 255."""
    checksums: bytes = b""
    """2 bytes after every 50th step of the episode: a checksum of observation and reward; see `state_checksums.py`."""
    extra: dict[str, bytes] = {}
    """More float16 columns of fixed width per step: all "probabilities" or "q_values", in evaluations."""


BYTES_PER_STEP = {"rewards": 4, "values": 2, "chosen": 1}
"""Width of each optional column of a Trace. A packed action has as many bytes as `config.action` says."""


class StepsEvent(Event, tag="steps"):
    """Steps of an episode that is still being played, so that it can be watched live."""

    episode: int = 0
    env: int = 0
    seed: int | None = None
    generator: bytes = b""
    """The state of the environment's random generator at the reset, where no seed was given; see `EpisodeEvent`."""
    timestep: int | None = None
    returned: float = 0.0
    """Return so far."""
    env_group: int | None = None
    """The environments of a captured script it belongs to; see `EnvironmentEvent`."""
    trace: Trace | None = None
    sampled_out: int = 0
    """Steps the worker left out on purpose."""


class EpisodeEvent(Event, tag="episode"):
    """A finished episode."""

    episode: int | None = None
    """Number of the episode in the run, from 0; the lab assigns it when absent."""
    episode_id: str | int | None = None
    env: int = 0
    seed: int | None = None
    generator: bytes = b""
    """37 bytes, in base64: PCG64's state and increment (16 each), has_uint32 (1), uinteger (4), little-endian.
    Set instead of `seed` where a script reset without one: the episode starts from exactly this state."""
    steps: int = 0
    return_: float | None = msgspec.field(default=None, name="return")
    terminated: bool | None = None
    truncated: bool | None = None
    success: bool | None = None
    timestep: int | None = None
    """Environment steps of the whole run when the episode ended."""
    env_group: int | None = None
    """The environments of a captured script it belongs to. The lab numbers such episodes itself."""
    group_step: int | None = None
    """Steps taken in these environments when the episode ended."""
    t_end: float | None = None
    trace: Trace | None = None
    extra: dict[str, Any] = {}


class MetricEvent(Event, tag="metric"):
    """One value, or several of the same training step in `values`."""

    name: str | None = None
    value: Number | None = None
    values: dict[str, Number] = {}
    step: int | None = None
    sources: dict[str, str] = {}
    """Where series come from, as text: once per series is enough."""


class CheckpointEvent(Event, tag="checkpoint"):
    """A file to resume from or to evaluate; it is complete when the event is sent."""

    path: str
    """Relative to the run folder."""
    timestep: int = 0
    role: Literal["interval", "best", "stop", "final"] = "interval"
    size: int = 0
    sha256: str = ""
    score: Number | None = None
    """Mean return of the last training episodes when it was saved."""
    score_episodes: int | None = None
    """How many episodes that mean is over."""
    parts: list[dict[str, str]] = []
    """Other files that a resume from it needs, each with `path` and `sha256`; several checkpoints may share one."""
    lacks: str = ""
    """What it does not contain, so that a resume from it is not exact."""


class EvaluationEvent(Event, tag="evaluation"):
    """Episodes played with one checkpoint while the training continues, always on the same seeds."""

    sha256: str = ""
    """Of the checkpoint's file, as its own event had it."""
    timestep: int = 0
    """Training steps of the checkpoint."""
    episodes: int = 0
    return_mean: Number | None = None
    return_low: Number | None = None
    """Ends of the interval of the mean; absent when there are too few episodes for one."""
    return_high: Number | None = None
    level: float | None = None
    """How often such an interval contains the true mean."""
    deterministic: bool = True
    """Best action instead of a sampled one."""


class ArtifactEvent(Event, tag="artifact"):
    """A file of the run, a folder (kind tensorboard), or a web page (`url`)."""

    path: str
    kind: str = "file"
    url: str = ""
    """Of a W&B run (kind wandb); `path` then is only its name in the list."""
    upload: str = ""
    """Of a W&B run: uploading, finished or failed."""
    title: str = ""
    size: int = 0
    sha256: str = ""


class ArtifactsEvent(Event, tag="artifacts"):
    """All files of the run in one line, at its end; `event` may be written instead of `type`.

    A path is relative to the run folder, or absolute and inside it.
    """

    run_id: str | None = None
    video: str | list[str] | None = None
    tensorboard: str | list[str] | None = None
    """Folder with event files."""
    wandb_url: str | None = None


class LogEvent(Event, tag="log"):
    """A message for the run's event log."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    message: str = ""
    code: str = "log"


class StatusEvent(Event, tag="status"):
    """The worker's state: `hello` first, then `progress` regularly."""

    state: Literal["hello", "progress", "paused", "resumed", "stopping"] = "progress"
    timestep: int | None = None
    total: int | None = None
    message: str = ""
    unit: str = ""
    """What `timestep` and `total` count, of a job that counts several things in turn: step, episode, byte."""


class FinishedEvent(Event, tag="finished"):
    """The final event. A program that exits with code 0 without it has succeeded, too."""

    outcome: Literal["succeeded", "failed", "stopped"] = "succeeded"
    cause: str = ""
    """Short code, e.g. "diverged", "missing-extra", "solved"."""
    message: str = ""
    next_step: str = ""
    summary: dict[str, Any] = {}


EVENT_CLASSES: tuple[type[Event], ...] = tuple(Event.__subclasses__())
EVENT_TYPES: dict[str, type[Event]] = {str(cls.__struct_config__.tag): cls for cls in EVENT_CLASSES}
"""By the `type` of their lines. Declaring a subclass of Event is all it takes to make its lines known."""
ANY_EVENT: Any = reduce(or_, EVENT_CLASSES)
"""The union of all of them, for decoders."""
