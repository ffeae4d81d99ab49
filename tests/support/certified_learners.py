"""Certifies several learners in one process, whose libraries are then loaded once; prints one result per line.

A process of its own: trainings are forked from it, which must not be done where torch has computed already.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rl_lab.core.evaluations import read_result
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import CertifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.certifications import CertificationResult
from rl_lab.core.runners import complete_params
from rl_lab.orchestrator.jobs.certify import certified_config
from rl_lab.portable.control import Control
from rl_lab.runners.registry import RUNNERS, load_runner
from rl_lab.worker.jobs.certifications import certify
from rl_lab.worker.session import Session
from rl_lab.worker.telemetry import Telemetry

Learner = Mapping[str, Any]
"""runner, algorithm, env_id, steps; params, env_kwargs, breaks and inputs of the job if wanted."""
SEVEN = (
    ("turbo", "ppo"),
    ("turbo", "dqn"),
    ("sb3", "ppo"),
    ("sb3", "a2c"),
    ("sb3", "dqn"),
    ("sb3", "sac"),
    ("sb3", "td3"),
)
"""Every learner of the lab that resumes exactly: runner and algorithm."""
CONTINUOUS = frozenset({"sac", "td3"})
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""As in workers of the lab."""


def certify_in_process(learners: Iterable[Learner], timeout_s: float = 600) -> list[CertificationResult]:
    """The results in the same order."""
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps([dict(learner) for learner in learners]),
        capture_output=True,
        text=True,
        timeout=timeout_s,
        env={**os.environ, **ONE_THREAD},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = [read_result(CertificationResult, json.loads(line)) for line in done.stdout.splitlines()]
    return [result for result in results if result is not None]


def certify_learner(learner: Learner, folder: Path) -> dict[str, Any]:
    """Through the worker function, as a worker of the lab does it."""
    algorithm = load_runner(learner["runner"]).spec.algorithm(learner["algorithm"])
    training = TrainConfig(
        runner=learner["runner"],
        algorithm=learner["algorithm"],
        env_id=learner["env_id"],
        total_timesteps=learner["steps"],
        env_kwargs=learner.get("env_kwargs", {}),
        params=complete_params(algorithm, None, learner.get("params", {}), learner["env_id"]),
        device=learner.get("device", "cpu"),
        seed=learner.get("seed", 1),
    )
    config = CertifyConfig(
        run_id="certified",
        breaks=learner.get("breaks", 3),
        break_seed=learner.get("break_seed", 0),
        whole=True,
    )
    trained, notes = certified_config(training, config, 0)
    job = Job(
        run_id="certificate",
        kind=RunKind.certify,
        config=config,
        run_dir=folder,
        inputs={
            "runner": RUNNERS[training.runner],
            "config": trained.model_dump(mode="json"),
            "run_name": "certified",
            "notes": notes,
            **learner.get("inputs", {}),
        },
    )
    nowhere, nothing = os.open(os.devnull, os.O_WRONLY), os.open(os.devnull, os.O_RDONLY)
    return certify(Session(job, Telemetry(nowhere), Control(nothing)))


def main() -> None:
    for learner in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(certify_learner(learner, Path(folder))), flush=True)
            left = {path.name for path in Path(folder).iterdir()}
            assert left == {f"resume-certificate.{suffix}" for suffix in ("json", "txt", "html")}, left


if __name__ == "__main__":
    main()
