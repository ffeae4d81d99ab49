"""Verifications: a training is done again and compared with what it reported the first time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.start_points import START_FILE
from rl_lab.core.reproduction.verifications import VerificationResult
from rl_lab.core.resuming import find_inexact
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.words.run_names import job_name
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, Training
from rl_lab.runners.registry import RUNNERS, spec_of
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.snapshot_files import find_snapshot
from rl_lab.store.telemetry.recorded_events import read_events

DECISIVE = (
    *("runner", "algorithm", "env_id", "env_kwargs", "total_timesteps", "seed", "params", "until"),
    *("lengthened", "start_from", "dataset", "reward", "judge_by"),
)
"""What decides about the numbers of a run; the rest is how it is watched and kept."""
MAX_START_BYTES = 1 << 30
TWO_RUNS = "Run it again with the same settings, then compare the two: rl-lab verify RUN --against OTHER."


async def prepare(sources: Sources, config: VerifyConfig) -> PreparedJob:
    run, training = await _get_ended(sources, config.run_id)
    if config.against is not None:
        return await _prepare_pair(sources, config, run, training)
    _require_repeatable(run, training.config)
    await sources.require_environment(training.config.env_id, run.id)
    end_step, notes = await _find_end(sources, run, training.config)
    inputs: dict[str, Any] = {
        "runner": RUNNERS[training.config.runner],
        "was_cut": end_step < run.progress.timestep or not _ended_by_itself(run, training.config),
        **await sources.find_reward(run.id, training.config),
    }
    attachments: dict[str, Callable[[], bytes]] = {
        "expected": partial(_export, sources.home, run.id, end_step)
    }
    if training.config.start_from is not None:
        attachments["start"] = partial(_read_start, sources.home, run.id)
    checkpoint = await sources.find_last_checkpoint(training, end_step)
    if checkpoint is not None:
        inputs["policy"] = sources.make_policy(training, checkpoint)
    return PreparedJob(
        name=job_name("Verification", [run.name]),
        parent_id=run.id,
        started=f"Verification started: it is trained again up to step {end_step:,}.",
        env_id=training.config.env_id,
        env_kwargs=training.config.env_kwargs,
        inputs={**inputs, **_about(sources, run, training.config, notes)},
        config=config.model_copy(update={"deterministic": training.config.deterministic}),
        attachments=attachments,
        dataset=training.config.dataset,
    )


async def _prepare_pair(sources: Sources, config: VerifyConfig, run: Run, training: Training) -> PreparedJob:
    """Nothing is trained: the recorded events of two runs are compared."""
    other, second = await _get_ended(sources, config.against or "", "against")
    if other.id == run.id:
        raise InvalidInput.of_field("against", "A run is always identical to itself; name another one.")
    _require_same_config(training.config, second.config)
    end_step = min(run.progress.timestep, other.progress.timestep)
    about = _about(sources, run, training.config, _pair_notes(run, other))
    snapshot = find_snapshot(RunFolder(sources.home, other.id))
    return PreparedJob(
        name=job_name("Verification", [run.name, other.name]),
        parent_id=run.id,
        started=f"Verification started: it is compared with “{other.name}”.",
        env_id=training.config.env_id,
        env_kwargs=training.config.env_kwargs,
        inputs={**about, "found_snapshot": snapshot.model_dump(mode="json") if snapshot else None},
        attachments={
            "expected": partial(_export, sources.home, run.id, end_step),
            "found": partial(_export, sources.home, other.id, end_step),
        },
    )


async def _get_ended(sources: Sources, run_id: str, field: str = "run_id") -> tuple[Run, Training]:
    run = await sources.get_run(run_id)
    if run.source is not None:
        raise NotReady(
            f"The run “{run.name}” was adopted from {run.source.folder}; the lab has no configuration to repeat.",
            next_step="Train the same in the lab, and verify that run.",
        )
    if not isinstance(run.config, TrainConfig):
        raise InvalidInput.of_field(field, f"“{run.name}” is not a training, so it cannot be verified.")
    if run.status not in FINAL:
        raise NotReady(
            f"The run “{run.name}” has not ended yet.",
            next_step="Verify it when it has ended, or stop it first: then it is verified up to that step.",
        )
    if run.progress.timestep <= 0:
        raise NotReady(
            f"The run “{run.name}” ended before its first step: there is nothing to compare.",
            next_step="Choose a run that has trained.",
        )
    return run, Training(run.id, run.name, run.config)


def _require_repeatable(run: Run, config: TrainConfig) -> None:
    """Foreign code starts only with approval and confined, and decides itself how it is seeded."""
    spec = spec_of(config)
    if spec is None:
        raise NotReady(f"The runner “{config.runner}” is not installed here.", next_step="Install it.")
    if spec.capabilities.foreign:
        raise NotReady(
            f"“{run.name}” ran code from outside the lab, which is started only by you, with your approval.",
            next_step=TWO_RUNS,
        )


def _ended_by_itself(run: Run, config: TrainConfig) -> bool:
    """Its learner ends at the same step again; others are ended there."""
    is_solved = run.reason is not None and run.reason.cause == "solved"
    return is_solved or 0 < config.total_timesteps <= run.progress.timestep


async def _find_end(sources: Sources, run: Run, config: TrainConfig) -> tuple[int, list[str]]:
    """The last step that can be repeated exactly, and why it is not the last one of the run."""
    end, notes = run.progress.timestep, []
    resumed = await sources.list_resumes(run.id)
    inexact = find_inexact(resumed)
    if inexact is not None and inexact.step > 0:
        return min(end, inexact.step), [f"{inexact.message} So it is compared up to that step."]
    if resumed:
        notes.append("The run was resumed, and is repeated without an interruption.")
    if end < config.total_timesteps:
        notes.append(
            f"The run ended at step {end:,} of {config.total_timesteps:,}: it is repeated up to there."
        )
    return end, notes


def _require_same_config(first: TrainConfig, second: TrainConfig) -> None:
    names = [name for name in DECISIVE if getattr(first, name) != getattr(second, name)]
    if names:
        raise InvalidInput.of_field(
            "against",
            f"The two runs have different configurations ({', '.join(names)}); compare them instead.",
        )


def _pair_notes(run: Run, other: Run) -> list[str]:
    notes = [f"Nothing was trained: the recorded events of “{other.name}” ({other.id}) were compared."]
    ends = sorted((run.progress.timestep, other.progress.timestep))
    if ends[0] != ends[1]:
        notes.append(
            f"One ended at step {ends[0]:,}, the other at {ends[1]:,}: they were compared up to the first."
        )
    return notes


def _about(sources: Sources, run: Run, config: TrainConfig, notes: list[str]) -> dict[str, Any]:
    snapshot = find_snapshot(RunFolder(sources.home, run.id))
    return {
        "config": config.model_dump(mode="json"),
        "run_name": run.name,
        "snapshot": snapshot.model_dump(mode="json") if snapshot else None,
        "notes": notes,
    }


def _export(home: Path, run_id: str, end_step: int) -> bytes:
    return msgspec.msgpack.encode(read_events(RunFolder(home, run_id).telemetry, end_step))


def _read_start(home: Path, run_id: str) -> bytes:
    """The weights that it started with."""
    return RunFolder(home, run_id).read_bytes(START_FILE, MAX_START_BYTES)


def describe_result(result: VerificationResult) -> str:
    return result.sentence


RULES = JobRules(prepare, describe_result)
