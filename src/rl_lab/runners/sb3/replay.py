"""The replay buffer of DQN, SAC and TD3, saved next to the newest checkpoint so that a resumed run continues exactly.

Only the newest buffer is kept, and none above a maximum size; without one, a resumed run first fills a new buffer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.portable.atomic_files import save_file
from rl_lab.worker.session import Session

MAX_BYTES = 512 << 20
SUFFIX = ".replay.npz"
COLUMNS = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")


def keep_replay(session: Session, model: Any) -> None:
    """Saves the buffer for the checkpoint of this timestep; logs a message if it is too large."""
    columns = _columns(getattr(model, "replay_buffer", None))
    if not columns:
        return
    size = sum(column.nbytes for column in columns.values())
    if size > MAX_BYTES:
        session.telemetry.log(
            "info",
            f"The replay buffer ({size / 1e9:.1f} GB) is too large to be saved: "
            "a resumed run will fill a new one before it continues to learn.",
            code="replay-not-kept",
        )
        return
    folder = session.run_dir / "checkpoints"
    path = folder / f"step-{model.num_timesteps:09d}{SUFFIX}"
    save_file(lambda aside: _write(aside, columns), path)
    for older in folder.glob(f"step-*{SUFFIX}"):
        if older != path:
            older.unlink(missing_ok=True)


def restore_replay(session: Session, model: Any, checkpoint: Path) -> None:
    """Restores the buffer, or delays learning until a new one has filled."""
    if getattr(model, "replay_buffer", None) is None:
        return
    path = checkpoint.with_name(checkpoint.stem + SUFFIX)
    if path.is_file() and _read(path, model.replay_buffer):
        return
    session.telemetry.log(
        "info",
        "The replay buffer of this checkpoint was not saved: learning continues once a new one is partly filled.",
        code="replay-not-kept",
    )
    _learn_later(model, max(model.batch_size, min(model.learning_starts, 1000)))


def _columns(buffer: Any) -> dict[str, Any]:
    """The filled part of each array; empty for dict observations, whose arrays are nested."""
    if buffer is None or isinstance(buffer.observations, dict):
        return {}
    filled = buffer.buffer_size if buffer.full else buffer.pos
    columns = {name: getattr(buffer, name)[:filled] for name in COLUMNS}
    return {**columns, "place": np.array([buffer.pos, buffer.full])} if filled else {}


def _write(path: Path, columns: dict[str, Any]) -> None:
    with path.open("wb") as file:
        np.savez(file, **columns)


def _read(path: Path, buffer: Any) -> bool:
    """False if the buffer's shape has changed."""
    with np.load(path, allow_pickle=False) as saved:
        count = len(saved["rewards"])
        if count > buffer.buffer_size or saved["observations"].shape[1:] != buffer.observations.shape[1:]:
            return False
        for name in COLUMNS:
            getattr(buffer, name)[:count] = saved[name]
        position, is_full = saved["place"]
    buffer.pos, buffer.full = int(position), bool(is_full)
    return True


def _learn_later(model: Any, needed: int) -> None:
    """Skips updates while the buffer has fewer than `needed` steps, to avoid overfitting to a few samples."""
    learn = type(model).train

    def train(gradient_steps: int, batch_size: int) -> None:
        if model.replay_buffer.size() * model.n_envs >= needed:
            del model.train
            learn(model, gradient_steps=gradient_steps, batch_size=batch_size)

    model.train = train
