"""The replay buffer of a run, as its checkpoints store it: segments of Stable-Baselines3, or turbo's own tensors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import ACTIONS, OBSERVATIONS
from rl_lab.core.errors import Gone, InvalidInput
from rl_lab.worker.datasets.formats.column_names import safe_key
from rl_lab.worker.datasets.formats.npz import NpzTable
from rl_lab.worker.datasets.formats.rows import Array, Columns, FileSteps, rows_per_part
from rl_lab.worker.datasets.formats.source import OpenSource, RowKind, kind_of, row_bytes
from rl_lab.worker.datasets.formats.tables import BYTES_PER_STEP
from rl_lab.worker.datasets.spaces import SpaceJson, bounds

TURBO_COLUMNS = ("observation", "next", "action", "reward", "terminated", "ended")
SCALED = (
    "Actions are stored from -1 to 1 by Stable-Baselines3; they were put back into the environment's range."
)


def open_buffer(given: dict[str, Any], action_space: SpaceJson | None) -> OpenSource:
    """`given`: `segments` with path and sha256 (Stable-Baselines3), or `checkpoint` (turbo), and `reward_scale`."""
    if given.get("segments"):
        return _open_segments(given["segments"], action_space)
    return _open_turbo(Path(given["checkpoint"]), float(given.get("reward_scale") or 1.0))


def _open_segments(segments: list[dict[str, str]], action_space: SpaceJson | None) -> OpenSource:
    tables = []
    for segment in segments:
        path = Path(segment["path"])
        _require_hash(path, segment.get("sha256", ""))
        tables.append(NpzTable(path))
    lanes = _Lanes(tables, action_space)
    total = sum(table.rows for table in tables) * lanes.count
    return OpenSource(
        form="the replay buffer of Stable-Baselines3",
        total=total,
        unit="step",
        bytes_needed=total * (row_bytes([*lanes.observations.values(), lanes.action]) + BYTES_PER_STEP),
        observations=lanes.observations,
        actions={ACTIONS: lanes.action},
        parts=lanes.read,
        notes=[SCALED] if lanes.scale is not None else [],
    )


class _Lanes:
    """Rows of several environments next to each other, read one environment after the other."""

    def __init__(self, tables: list[NpzTable], action_space: SpaceJson | None) -> None:
        self._tables, self._kinds = tables, tables[0].kinds
        self.count = self._kinds["rewards"][1][0]
        self._names = {n: _column(n, OBSERVATIONS) for n in self._kinds if n.startswith(OBSERVATIONS)}
        self.observations = {column: _lane_kind(self._kinds[name]) for name, column in self._names.items()}
        self.action = _action_kind(_lane_kind(self._kinds[ACTIONS]))
        self.scale = _scale(action_space, self.action)

    def read(self) -> Iterator[FileSteps]:
        count = rows_per_part(row_bytes(self._kinds.values()))
        for lane in range(self.count):
            for number, table in enumerate(self._tables):
                done = 0
                for part in table.read(list(self._kinds), count):
                    done += len(part["rewards"])
                    is_end = number == len(self._tables) - 1 and done == table.rows
                    yield self._steps({name: column[:, lane] for name, column in part.items()}, is_end)

    def _steps(self, part: Columns, is_end: bool) -> FileSteps:
        """The last step of an environment ends its episode here."""
        done, timeout = part["dones"] != 0, part["timeouts"] != 0
        ended = done.copy()
        ended[-1] |= is_end
        return FileSteps(
            observations={column: part[name] for name, column in self._names.items()},
            actions={ACTIONS: self._actions(part[ACTIONS])},
            rewards=part["rewards"],
            terminated=done & ~timeout,
            ended=ended,
            following={column: part[f"next_{name}"] for name, column in self._names.items()},
        )

    def _actions(self, stored: Array) -> Array:
        if self.scale is not None:
            low, high = self.scale
            stored = low + 0.5 * (stored + 1.0) * (high - low)
        return stored.reshape(len(stored), *self.action[1]).astype(self.action[0], copy=False)


def _open_turbo(path: Path, reward_scale: float) -> OpenSource:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads((file.metadata() or {})["rl_lab"])
            columns = {name: file.get_tensor(f"replay/columns/{name}") for name in TURBO_COLUMNS}
        head, filled = int(about["state"]["replay"]["head"]), int(about["state"]["replay"]["filled"])
    except (OSError, KeyError, ValueError, TypeError, SafetensorError):
        raise InvalidInput(
            f"{path.name} holds no replay buffer.", next_step="Choose a run of DQN, SAC or TD3."
        ) from None
    lanes = columns["reward"].shape[1]
    # The oldest row is at the head; that is the end of what is filled until the ring is full.
    order = np.roll(np.arange(filled), -head)

    def read() -> Iterator[FileSteps]:
        for lane in range(lanes):
            yield _turbo_lane({name: column[order, lane] for name, column in columns.items()}, reward_scale)

    observation = kind_of(np.float32, columns["observation"].shape[2:])
    return OpenSource(
        form="the replay buffer of turbo",
        total=filled * lanes,
        unit="step",
        bytes_needed=filled * lanes * (row_bytes([observation]) + 8 + BYTES_PER_STEP),
        observations={OBSERVATIONS: observation},
        actions={ACTIONS: kind_of(np.int64, ())},
        parts=read,
    )


def _turbo_lane(lane: dict[str, Array], reward_scale: float) -> FileSteps:
    ended = lane["ended"].astype(bool)
    ended[-1:] = True
    return FileSteps(
        observations={OBSERVATIONS: lane["observation"]},
        actions={ACTIONS: lane["action"].astype(np.int64)},
        rewards=lane["reward"] / reward_scale,
        terminated=lane["terminated"].astype(bool),
        ended=ended,
        following={OBSERVATIONS: lane["next"]},
    )


def _require_hash(path: Path, sha256: str) -> None:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise Gone(
            f"The file {path.name} of the replay buffer is missing.", next_step="Choose another run."
        ) from None
    if sha256 and found != sha256:
        raise InvalidInput(
            f"The file {path.name} of the replay buffer is damaged.", next_step="Choose another run."
        )


def _column(name: str, top: str) -> str:
    part = name.removeprefix(top).lstrip("/")
    return f"{top}.{safe_key(part)}" if part else top


def _lane_kind(kind: RowKind) -> RowKind:
    return kind_of(kind[0], kind[1][1:])


def _action_kind(kind: RowKind) -> RowKind:
    return kind_of(kind[0], ()) if kind[0].kind in "iu" and kind[1] == (1,) else kind


def _scale(space: SpaceJson | None, action: RowKind) -> tuple[Array, Array] | None:
    """The range of continuous actions, where the environment is known."""
    if space is None or space["type"] != "Box" or action[0].kind != "f" or tuple(space["shape"]) != action[1]:
        return None
    low, high = bounds(space)
    return (low, high) if np.isfinite(low).all() and np.isfinite(high).all() else None
