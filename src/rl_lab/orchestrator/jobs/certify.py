"""Certifications: a training's configuration is trained unbroken, and broken and resumed, and both are compared."""

from __future__ import annotations

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs.policy_jobs import CertifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.certifications import USUAL_STEPS, CertificationResult
from rl_lab.core.runners import RunnerSpec
from rl_lab.core.runs import Run
from rl_lab.core.words.run_names import job_name
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.runners.registry import RUNNERS, spec_of

CHECKPOINTS = 6
"""How many checkpoints each training saves at least: breaks are between them, and resumes from any of them."""


async def prepare(sources: Sources, config: CertifyConfig) -> PreparedJob:
    run = await sources.get_run(config.run_id)
    training = _require_certifiable(run)
    await sources.require_environment(training.env_id, run.id)
    certified, notes = certified_config(training, config, run.progress.timestep)
    steps, times = certified.total_timesteps, config.breaks
    return PreparedJob(
        name=job_name("Certification", [run.name]),
        parent_id=run.id,
        started=f"Certification started: {steps:,} steps unbroken, and {times} times broken and resumed.",
        env_id=training.env_id,
        env_kwargs=training.env_kwargs,
        inputs={
            "runner": RUNNERS[training.runner],
            "config": certified.model_dump(mode="json"),
            "run_name": run.name,
            "notes": notes,
            **await sources.find_reward(run.id, training),
        },
        config=config.model_copy(update={"deterministic": training.deterministic}),
        dataset=training.dataset,
    )


def _require_certifiable(run: Run) -> TrainConfig:
    if run.source is not None:
        raise NotReady(
            f"The run “{run.name}” was adopted from {run.source.folder}; the lab has no configuration to train.",
            next_step="Train the same in the lab, and certify that run.",
        )
    if not isinstance(run.config, TrainConfig):
        raise InvalidInput.of_field("run_id", f"“{run.name}” is not a training, so it cannot be certified.")
    spec = spec_of(run.config)
    if spec is None:
        raise NotReady(f"The runner “{run.config.runner}” is not installed here.", next_step="Install it.")
    require_exact(spec)
    return run.config


def require_exact(spec: RunnerSpec) -> None:
    """Refuses runners of code from outside, and those that cannot resume."""
    if spec.capabilities.foreign or not spec.capabilities.resume:
        raise InvalidInput.of_field(
            "runner",
            f"{spec.name} cannot resume exactly: the lab does not have the whole state of code from outside, so there "
            "is nothing to certify. Certify a run of turbo, sb3 or offline.",
        )


def certified_config(
    training: TrainConfig, options: CertifyConfig, steps_done: int
) -> tuple[TrainConfig, list[str]]:
    """The configuration of all trainings, and how it differs from the run's own."""
    own = training.total_timesteps or steps_done or USUAL_STEPS
    steps = own if options.whole else options.timesteps or min(own, USUAL_STEPS)
    notes = []
    if steps != own:
        notes.append(
            f"The run is set to {own:,} steps; each training had {steps:,}, and its schedules end there."
        )
    if training.max_seconds is not None or training.max_episodes is not None:
        notes.append("Limits of time and episodes were left out.")
    if training.start_from is not None:
        notes.append(
            "The run starts from a checkpoint of another one; these trainings started from new weights."
        )
    every = training.checkpoint_every
    changes = {
        "total_timesteps": steps,
        "checkpoint_every": every if every and every * 3 <= steps else max(1, steps // CHECKPOINTS),
        "expected_steps": None,
        "max_seconds": None,
        "max_episodes": None,
        "evaluate_every": None,
        "evaluate_after": 0,
        "evaluate_by": None,
        "start_from": None,
        "record": True,
        "feed": False,
    }
    return training.model_copy(update=changes), notes


def describe_result(result: CertificationResult) -> str:
    return result.sentence


RULES = JobRules(prepare, describe_result)
