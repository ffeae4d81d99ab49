"""The replay buffer of DQN, SAC and TD3 in files next to the checkpoints, so that each of them can be resumed exactly.

A checkpoint writes only the rows that were added since the last one, as a segment; its own state names the segments
that its buffer consists of. A row keeps its number for the whole run: number % size is its place in the ring.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.portable.atomic_files import save_file
from rl_lab.worker.session import Session

FOLDER = "checkpoints/replay"
MAX_BYTES = 512 << 20
"""A larger buffer is not saved."""
MAX_SEGMENTS = 64
"""A checkpoint with more writes all its rows as one."""
COLUMNS = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")

State = dict[str, Any]


class ReplayFiles:
    """Writes the rows of one learner's buffer; `session` gets the names of the files with each checkpoint."""

    def __init__(self, session: Session, model: Any) -> None:
        self._session, self._model = session, model
        self._prefilled = 0
        self._origin = self._added
        """Number of the buffer's first row: 0 unless a resume began with a new buffer."""
        self._segments: list[State] = []
        self._is_reported = False

    def begin_with(self, rows: int) -> None:
        """Counts the rows that a new buffer has from a dataset."""
        self._prefilled = rows

    def save(self) -> State | None:
        """Writes the rows that are in no segment yet; returns what a checkpoint says about its buffer."""
        self._session.checkpoint_parts, self._session.checkpoint_lacks = [], ""
        buffer = self._model.replay_buffer
        size = sum(column.nbytes for column in _columns(buffer).values())
        size = size if buffer.full else size * buffer.pos // buffer.buffer_size
        if size > MAX_BYTES:
            self._session.checkpoint_lacks = (
                f"its replay buffer ({size / 1e9:.1f} GB) was too large to be saved"
            )
            return None
        self._write(buffer)
        self._session.checkpoint_parts = [
            {"path": f"{FOLDER}/{one['file']}", "sha256": one["sha256"]} for one in self._segments
        ]
        return {
            "origin": self._origin,
            "added": self._added,
            "prefilled": self._prefilled,
            "segments": self._segments,
        }

    def restore(self, state: Mapping[str, Any] | None) -> str:
        """Restores the buffer; otherwise returns what is wrong with it."""
        if state is None:
            return "the replay buffer of this checkpoint was not saved"
        buffer = self._model.replay_buffer
        for segment in state["segments"]:
            problem = self._read(buffer, segment, state)
            if problem:
                buffer.reset()
                return problem
        self._origin, self._segments = state["origin"], list(state["segments"])
        self._prefilled = state.get("prefilled", 0)
        rows = state["added"] - state["origin"]
        buffer.pos, buffer.full = rows % buffer.buffer_size, rows >= buffer.buffer_size
        return ""

    @property
    def _added(self) -> int:
        """Rows that were added in the whole run: one per step of all environments, after those of a dataset."""
        return self._prefilled + int(self._model.num_timesteps // self._model.n_envs)

    def _write(self, buffer: Any) -> None:
        added = self._added
        oldest = max(self._origin, added - buffer.buffer_size)
        kept = [one for one in self._segments if one["last"] > oldest]
        first = kept[-1]["last"] if kept else oldest
        if len(kept) >= MAX_SEGMENTS:
            kept, first = [], oldest
        if first < added:
            kept = [*kept, self._write_segment(buffer, first, added)]
        self._segments = kept

    def _write_segment(self, buffer: Any, first: int, last: int) -> State:
        name = f"rows-{self._session.job.attempt}-{first:09d}-{last:09d}.npz"
        places = (np.arange(first, last) - self._origin) % buffer.buffer_size
        rows = {column: array[places] for column, array in _columns(buffer).items()}
        saved = save_file(lambda aside: _write_rows(aside, rows), self._session.run_dir / FOLDER / name)
        return {"file": name, "sha256": saved.sha256, "first": first, "last": last}

    def _read(self, buffer: Any, segment: State, state: Mapping[str, Any]) -> str:
        path = self._session.run_dir / FOLDER / segment["file"]
        first, last = segment["first"], segment["last"]
        numbers = np.arange(first, last)
        is_kept = numbers >= state["added"] - buffer.buffer_size
        places = (numbers[is_kept] - state["origin"]) % buffer.buffer_size
        try:
            if hashlib.sha256(path.read_bytes()).hexdigest() != segment["sha256"]:
                return f"the file {segment['file']} of its replay buffer is damaged"
            with np.load(path, allow_pickle=False) as saved:
                for name, column in _columns(buffer).items():
                    column[places] = saved[name][is_kept]
        except FileNotFoundError:
            return f"the file {segment['file']} of its replay buffer is missing"
        except (OSError, ValueError, KeyError, IndexError) as error:
            return f"the file {segment['file']} of its replay buffer cannot be read ({error})"
        return ""


def learn_later(model: Any) -> None:
    """After a resume without the buffer: no updates before it has some steps, which a few samples would overfit to."""
    needed = max(model.batch_size, min(model.learning_starts, 1000))
    learn = type(model).train

    def train(gradient_steps: int, batch_size: int) -> None:
        if model.replay_buffer.size() * model.n_envs >= needed:
            del model.train
            learn(model, gradient_steps=gradient_steps, batch_size=batch_size)

    model.train = train


def _columns(buffer: Any) -> dict[str, Any]:
    """All arrays of a buffer; those of dict observations are nested."""
    found: dict[str, Any] = {}
    for name in COLUMNS:
        column = getattr(buffer, name)
        parts = column.items() if isinstance(column, dict) else [("", column)]
        found |= {f"{name}/{key}" if key else name: part for key, part in parts}
    return found


def _write_rows(path: Path, rows: dict[str, Any]) -> None:
    with path.open("wb") as file:
        np.savez(file, **rows)
