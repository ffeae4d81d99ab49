"""Certificates of a learner without a run: its configuration is kept as a run that is not started, and certified."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from rl_lab.core.jobs.choices import MAX_TIMESTEPS, JobModel, Seed
from rl_lab.core.jobs.policy_jobs import CertifyConfig
from rl_lab.core.reproduction.certifications import MOST_BREAKS, USUAL_STEPS
from rl_lab.core.runs import Run
from rl_lab.orchestrator.jobs.certify import require_exact
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.runs.requests import NewRun, require_plain
from rl_lab.orchestrator.runs.service import Runs
from rl_lab.runners.registry import find_spec

TAG = "certify"


class NewCertificate(JobModel):
    """Whether a learner resumes exactly in an environment; everything but these two may be left out."""

    env_id: str = Field(min_length=1, max_length=200)
    algorithm: str = Field(min_length=1, max_length=64)
    runner: str = Field(default="sb3", max_length=64)
    timesteps: int = Field(default=USUAL_STEPS, ge=1, le=MAX_TIMESTEPS, description="Steps of each training.")
    seed: Seed = 0
    preset: str | None = Field(default=None, max_length=64)
    params: dict[str, Any] = Field(default={}, description="Hyper-parameters of the algorithm.")
    env_kwargs: Annotated[dict[str, Any], AfterValidator(require_plain)] = Field(
        default={}, description="Arguments of the environment."
    )
    breaks: int = Field(default=3, ge=1, le=MOST_BREAKS, description="How often it is broken and resumed.")
    break_seed: Seed = Field(default=0, description="Chooses the steps at which it is broken.")


async def certify_new(runs: Runs, jobs: Jobs, new: NewCertificate) -> Run:
    """The certification; its parent is the run that keeps the configuration, with the tag `certify`."""
    require_exact(find_spec(new.runner))
    asked = new.model_dump(
        include={"env_id", "algorithm", "runner", "seed", "preset", "params", "env_kwargs"}
    )
    wanted = NewRun(**asked, total_timesteps=new.timesteps, evaluate_after=0, tags=[TAG])
    training = await runs.create(wanted)
    config = CertifyConfig(run_id=training.id, whole=True, breaks=new.breaks, break_seed=new.break_seed)
    return await jobs.start(config)
