"""The job of a fork: play a recorded episode up to one moment, then go on with another policy."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import msgspec

from rl_lab.core.errors import InvalidInput
from rl_lab.core.evaluations import ForkResult, write_result
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.policy_jobs import ForkConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import unpack
from rl_lab.worker.jobs.episodes import Table
from rl_lab.worker.policies import RandomPolicy, load_policy, seed_sampling
from rl_lab.worker.rendering.replay_player import parting
from rl_lab.worker.rendering.simulation import Simulation
from rl_lab.worker.session import Session


def fork(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, ForkConfig)
    recording = read_recordings(Path(session.job.inputs["recordings"]))[0]
    prefix = unpack(recording.action, recording.actions)[: config.step]
    if config.step > recording.count:  # the lab has checked it; a file may have been changed since
        raise InvalidInput.of_field(
            "step", f"The episode has {recording.count} steps, so it cannot be forked at {config.step}."
        )
    if recording.rewards or recording.checksums:
        require_repeated(recording, config.step)
    table = Table(session, TrainConfig.model_validate(session.job.inputs["config"]))
    with contextlib.closing(table):
        policy = _policy(session, config, table)
        seed_sampling(config.seed)
        played = table.play(
            policy,
            recording.seed,
            generator=recording.generator,
            deterministic=config.deterministic,
            prefix=prefix,
        )
    if played is None:
        return {}
    result = ForkResult(
        parent_episode=recording.episode,
        parent_return=recording.returned,
        forked_at=config.step,
        returned=played.returned,
        length=played.length,
        terminated=played.terminated,
        truncated=played.truncated,
    )
    return write_result(result)


def require_repeated(recording: Recording, step: int) -> None:
    """Rewards or checksums of states that were kept show whether the moment comes back."""
    with contextlib.closing(Simulation(recording, render=False)) as simulation:
        rows = [simulation.describe()]
        while simulation.step < step and simulation.advance():
            rows.append(simulation.describe())
    parted = parting(recording, rows)
    note = parted["note"] if parted else simulation.difference()
    if note is not None:
        raise InvalidInput(f"The moment to fork at cannot be brought back. {note}")


def read_recordings(path: Path) -> list[Recording]:
    return msgspec.msgpack.decode(path.read_bytes(), type=list[Recording])


def _policy(session: Session, config: ForkConfig, table: Table) -> Any:
    if config.policy == "random":
        return RandomPolicy(table.env.action_space, config.seed)
    return load_policy(PolicyInput.model_validate(session.job.inputs["policy"]))
