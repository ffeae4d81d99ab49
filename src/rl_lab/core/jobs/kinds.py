"""The kinds of runs. Every layer finds its part of a kind in the table `KINDS`."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel

from rl_lab.core.datasets.operations import DatasetConfig, DatasetOptions, DatasetResult
from rl_lab.core.evaluations import DuelSummary, EvaluationSummary, FilmResult, ForkResult
from rl_lab.core.jobs.play import PlayConfig, PlayOptions, PlayResult
from rl_lab.core.jobs.policy_jobs import (
    CertifyConfig,
    DuelConfig,
    DuelOptions,
    EvaluateConfig,
    EvaluateOptions,
    FilmConfig,
    FilmOptions,
    ForkConfig,
    ForkOptions,
    VerifyConfig,
)
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.certifications import CertificationResult, CertifyOptions
from rl_lab.core.reproduction.verifications import VerificationResult, VerifyOptions

JobConfig = (
    TrainConfig
    | EvaluateConfig
    | ForkConfig
    | DuelConfig
    | FilmConfig
    | VerifyConfig
    | CertifyConfig
    | PlayConfig
    | DatasetConfig
)


class RunKind(StrEnum):
    train = "train"
    evaluate = "evaluate"
    fork = "fork"
    duel = "duel"
    film = "film"
    verify = "verify"
    certify = "certify"
    play = "play"
    dataset = "dataset"


class JobKind(NamedTuple):
    """One kind of job; import strings, so that a process only loads its own part."""

    noun: str
    """What a job of this kind is called: "evaluation"."""
    counts: str
    """What its progress counts: "episode"."""
    options: type[BaseModel]
    """What a user may choose: the body of the request that creates one."""
    config: type[BaseModel]
    result: type[BaseModel]
    """What its worker returns."""
    path: str
    """Address of that request below /api; its parameters are fields of `config`."""
    rules: str
    """The `JobRules` by which the server checks and prepares a job."""
    worker: str
    """The function that does the job: it takes the Session and returns the result."""


KINDS: dict[RunKind, JobKind] = {
    RunKind.evaluate: JobKind(
        noun="evaluation",
        counts="episode",
        options=EvaluateOptions,
        config=EvaluateConfig,
        result=EvaluationSummary,
        path="/runs/{run_id}/evaluations",
        rules="rl_lab.orchestrator.jobs.evaluate:RULES",
        worker="rl_lab.worker.jobs.evaluations:evaluate",
    ),
    RunKind.fork: JobKind(
        noun="fork",
        counts="step",
        options=ForkOptions,
        config=ForkConfig,
        result=ForkResult,
        path="/runs/{run_id}/episodes/{episode}/forks",
        rules="rl_lab.orchestrator.jobs.fork:RULES",
        worker="rl_lab.worker.jobs.forks:fork",
    ),
    RunKind.duel: JobKind(
        noun="duel",
        counts="seed",
        options=DuelOptions,
        config=DuelConfig,
        result=DuelSummary,
        path="/duels",
        rules="rl_lab.orchestrator.jobs.duel:RULES",
        worker="rl_lab.worker.jobs.duels:duel",
    ),
    RunKind.film: JobKind(
        noun="film",
        counts="scene",
        options=FilmOptions,
        config=FilmConfig,
        result=FilmResult,
        path="/runs/{run_id}/films",
        rules="rl_lab.orchestrator.jobs.film:RULES",
        worker="rl_lab.worker.jobs.films:film",
    ),
    RunKind.verify: JobKind(
        noun="verification",
        counts="step",
        options=VerifyOptions,
        config=VerifyConfig,
        result=VerificationResult,
        path="/runs/{run_id}/verifications",
        rules="rl_lab.orchestrator.jobs.verify:RULES",
        worker="rl_lab.worker.jobs.verifications:verify",
    ),
    RunKind.certify: JobKind(
        noun="certification",
        counts="step",
        options=CertifyOptions,
        config=CertifyConfig,
        result=CertificationResult,
        path="/runs/{run_id}/certificates",
        rules="rl_lab.orchestrator.jobs.certify:RULES",
        worker="rl_lab.worker.jobs.certifications:certify",
    ),
    RunKind.play: JobKind(
        noun="play",
        counts="step",
        options=PlayOptions,
        config=PlayConfig,
        result=PlayResult,
        path="/plays",
        rules="rl_lab.orchestrator.plays.rules:RULES",
        worker="rl_lab.worker.plays.play:play",
    ),
    RunKind.dataset: JobKind(
        noun="dataset",
        counts="episode",
        options=DatasetOptions,
        config=DatasetConfig,
        result=DatasetResult,
        path="/datasets/jobs",
        rules="rl_lab.orchestrator.datasets.rules:RULES",
        worker="rl_lab.worker.datasets.job:work",
    ),
}
"""Every kind of run but a training."""


def worker_functions() -> dict[str, str]:
    """The function that does a run of each kind, as an import string."""
    functions = {str(name): kind.worker for name, kind in KINDS.items()}
    return {RunKind.train: "rl_lab.runners.registry:train", **functions}
