"""The cost of exact checkpoints: the time that an SB3 training spends on saving, as a share of the rest of its time.

Both parts are measured in one training, so a busy machine slows both down alike. Checkpoints are as frequent as in a
run of 100,000 steps.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_most
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.portable.atomic_files import Save
from rl_lab.portable.control import Control
from rl_lab.runners.sb3 import Sb3Runner
from rl_lab.worker.session import Role, Session
from rl_lab.worker.telemetry import Telemetry

EVERY = 10_000
"""Steps between two checkpoints of a run of 100,000 steps."""
CASES: tuple[tuple[str, str, int, dict[str, Any], float], ...] = (
    ("PPO", "CartPole-v1", 20_480, {}, 1.0),
    # Long enough to fill the buffer and to go on with a full one.
    ("DQN, replay buffer of 100,000", "CartPole-v1", 130_000, {"buffer_size": 100_000}, 3.0),
)


def figures() -> list[Figure]:
    found = []
    for name, env_id, steps, params, bar in CASES:
        session = train(name.partition(",")[0].lower(), env_id, steps, params)
        share = 100 * session.saving_s / (session.total_s - session.saving_s)
        each = 1000 * session.saving_s / session.saves
        what = f"exact checkpoints of SB3 {name}, {env_id}, one per {EVERY:,} steps ({each:.0f} ms each): time added"
        found.append(at_most(what, share, bar, " %"))
    return found


class TimedSession(Session):
    """Measures how long checkpoints take, and the whole training from its first step on."""

    saving_s = 0.0
    saves = 0
    _began: float | None = None

    @property
    def total_s(self) -> float:
        return time.perf_counter() - (self._began or 0.0)

    def progress(self, timestep: int, *, now: bool = False) -> None:
        if self._began is None:
            self._began = time.perf_counter()
        super().progress(timestep, now=now)

    def save_checkpoint(self, save: Save, timestep: int, role: Role, **how: Any) -> Path:
        began = time.perf_counter()
        path = super().save_checkpoint(save, timestep, role, **how)
        if role != "best":  # it is saved within another one
            self.saving_s += time.perf_counter() - began
            self.saves += 1
        return path


def train(algorithm: str, env_id: str, steps: int, params: dict[str, Any]) -> TimedSession:
    config = TrainConfig(
        runner="sb3",
        algorithm=algorithm,
        env_id=env_id,
        total_timesteps=steps,
        seed=1,
        params=params,
        checkpoint_every=EVERY,
    )
    with tempfile.TemporaryDirectory() as folder:
        job = Job(run_id="bench", config=config, run_dir=Path(folder))
        telemetry = Telemetry(os.open(os.devnull, os.O_WRONLY))
        session = TimedSession(job, telemetry, Control(os.open(os.devnull, os.O_RDONLY)))
        Sb3Runner().train(session)
        telemetry.close()
        return session
