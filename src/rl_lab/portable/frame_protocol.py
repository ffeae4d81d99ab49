"""Messages between the server, a renderer process and browsers; the fields of a frame's header, declared once.

To the renderer: 4 bytes of length, then msgpack. From it: 4 bytes of length, then a *frame message*, which the
server passes on to browsers unchanged: 4 bytes of header length, a JSON header, then a JPEG or nothing.
All lengths are unsigned and little-endian. Standard library only.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO, Literal, Protocol, TypedDict

FRAME_FILE = "frame.bin"
"""The newest frame message of a worker that draws itself."""
MAX_MESSAGE_BYTES = 32 << 20
"""Of a message that the server reads."""
LENGTH = struct.Struct("<I")

Source = Literal["live", "best", "replay", "preview", "stage", "play"]
"""`best`: the best recorded episode of an ended run, in a loop; `stage`: models acting live; `play`: people too."""

_AnyFrame = TypedDict(
    "_AnyFrame",
    {
        "seq": int,
        "source": Source,
        "episode": int,
        "step": int,
        "reward": float,
        "return": float,  # a keyword, so it cannot be declared in a class
    },
)


class StageAgent(TypedDict, total=False):
    """Who acts on the stage."""

    label: str
    run_id: str
    """Absent: nobody, random actions."""
    checkpoint: str | None
    timestep: int | None
    role: str | None


class StageProblem(TypedDict, total=False):
    """Why a model that was asked for does not act; the one before plays on."""

    message: str
    next_step: str
    env_id: str
    """The environment that the model was trained in, where that is another one."""
    run_id: str
    checkpoint: str | None


class FrameHeader(_AnyFrame, total=False):
    """Header of a frame of the live feed, of a preview or of the stage."""

    at: float
    """When it was drawn, in seconds since 1970."""
    terminated: bool
    truncated: bool
    ended: bool
    """The preview's episode is over."""
    playing: bool
    note: str
    """Why the frame does not show what was recorded."""
    observation: Any
    action: Any
    info: dict[str, Any]
    agent: Mapping[str, Any]
    """A `StageAgent`."""
    loading: str
    """The model that is being loaded, while the one before plays on; else empty."""
    problem: Mapping[str, Any] | None
    """A `StageProblem`."""
    speed: float
    value: float
    """The policy's estimate for the state before."""
    probabilities: list[float]
    q_values: list[float]


class PlayHeader(FrameHeader, total=False):
    """Header of a frame of a play."""

    heard: int
    """The number `n` of the last message that this frame takes into account."""
    mode: Literal["human", "hybrid", "agent"]
    who: Literal["person", "agent"] | None
    """Who chose the action that led here; None after a reset."""
    seed: int | None
    """Of this episode; None where it was begun with the state of a generator."""
    taken_over_at: int
    """Step up to which the episode repeats a recorded one; 0 for one that does not."""
    waiting: Literal["key", "next"] | None
    """What the play waits for: a key (or `play`), or the next episode (`next`, `restart` or `play`), because this one
    is over. Null: it plays, or was paused."""
    fps: float
    """Steps per second at speed 1."""


class PlayKeys(TypedDict):
    """Without a JPEG: the keys in use; sent at the beginning of a connection and at every change."""

    op: Literal["controls"]
    controls: Mapping[str, Any]
    """`PlayControls`."""


class PlayEnded(TypedDict):
    """Without a JPEG, the last message: the play is over."""

    op: Literal["ended"]
    message: str


class PlayRole(TypedDict):
    """Without a JPEG: whether this connection plays or watches; sent at the beginning and at every change."""

    op: Literal["role"]
    role: Literal["player", "watcher"]
    is_free: bool
    """Nobody plays: the first message that this connection sends makes it the player."""
    message: str
    """For a watcher who tried to play: why it does not."""


class _AnyReplayFrame(_AnyFrame):
    heard: int
    """The number `n` of the last command that was carried out; 0 before the first."""
    playing: bool
    speed: float
    terminated: bool
    truncated: bool
    observation: Any
    action: Any
    """The action that led here."""
    next_action: Any
    info: dict[str, Any]


class ReplayFrameHeader(_AnyReplayFrame, total=False):
    """Header of a frame of a replay."""

    note: str
    who: Literal["person", "agent"]
    """Of a play: who chose the action that led here."""
    value: float
    """The policy's estimate for this state, where it was recorded."""
    chosen_probability: float
    probabilities: list[float]
    q_values: list[float]
    own_reward: float
    """Of the step that led here, under the reward that the run learned from, where that is the user's own."""
    own_return: float
    own_terms: dict[str, float]
    """Its terms, where it has several."""


class ReplayOpened(TypedDict):
    """First message of a replay, without a JPEG: the episode as a whole."""

    op: Literal["opened"]
    env_id: str
    observation_names: list[str]
    """What each number of an observation is; empty where the lab does not know it."""
    action_names: list[str]
    """The actions of a discrete space, or what each number of an action is."""
    length: int
    render_fps: float
    rewards: list[float]
    own_name: str
    """The user's reward that the run learned from: "gentle@v2"; empty where that is the environment's."""
    own_rewards: list[float]
    """What it gives for each step; empty where there is none, or it failed."""
    own_terms: dict[str, list[float]]
    """Its terms, where it has several, for each step."""
    own_note: str
    """Why it could not be computed; else empty."""
    actions: list[int]
    """Where actions are numbers of a discrete space; else empty."""
    values: list[float | None]
    who: list[int]
    """Of a play, for each step: 1 where a person chose it, 0 where the agent did; else empty."""
    exact: bool | None
    """Whether the re-simulation matches the recording; null when that is not known."""
    note: str


class ReplayState(TypedDict):
    """Answer to a command that draws nothing."""

    op: Literal["state"]
    heard: int
    playing: bool
    speed: float


HEADERS = (
    FrameHeader,
    PlayEnded,
    PlayHeader,
    PlayKeys,
    PlayRole,
    ReplayFrameHeader,
    ReplayOpened,
    ReplayState,
    StageAgent,
    StageProblem,
)


def frame_message(header: Mapping[str, Any], jpeg: bytes = b"") -> bytes:
    head = _encode(header)
    return LENGTH.pack(len(head)) + head + jpeg


def split_frame_message(message: bytes) -> tuple[dict[str, Any], bytes]:
    (size,) = LENGTH.unpack_from(message)
    header: dict[str, Any] = json.loads(message[LENGTH.size : LENGTH.size + size])
    return header, message[LENGTH.size + size :]


def with_length(payload: bytes) -> bytes:
    return LENGTH.pack(len(payload)) + payload


def write_message(stream: BinaryIO, payload: bytes) -> None:
    stream.write(with_length(payload))
    stream.flush()


def read_message(stream: BinaryIO) -> bytes | None:
    """The next message; None at the end of the stream."""
    prefix = stream.read(LENGTH.size)
    if len(prefix) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(prefix)
    payload = stream.read(size)
    return payload if len(payload) == size else None


class ExactReader(Protocol):
    """As `asyncio.StreamReader`."""

    async def readexactly(self, n: int) -> bytes: ...


async def receive_message(stream: ExactReader) -> bytes:
    """The next message; EOFError at the end of the stream, ValueError when the message is too large."""
    (size,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
    if size > MAX_MESSAGE_BYTES:
        raise ValueError(f"a message of {size:,} bytes is larger than {MAX_MESSAGE_BYTES:,}")
    return await stream.readexactly(size)


def _encode(header: Mapping[str, Any]) -> bytes:
    try:
        return _dump(header)
    except ValueError:  # browsers refuse NaN and Infinity in JSON
        return _dump(_without_infinities(header))


def _dump(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), default=str, allow_nan=False).encode()


def _without_infinities(value: Any) -> Any:
    """NaN and the infinities become null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _without_infinities(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_infinities(entry) for entry in value]
    return value
