"""What a study costs per trial of a TPE sweep: result in, next point out, variant and run written.

Store, planner and sampler are the real ones; the training is a formula that writes its result at once.
"""

from __future__ import annotations

import asyncio
import math
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from bench.figures import Figure, at_most
from bench.servers import quantile
from rl_lab.core.environments import Environment
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Progress, Run, RunStatus, Summary
from rl_lab.core.studies.studies import Study, StudyPlan, StudyStatus
from rl_lab.core.studies.sweeps import Choices, Range, Sweep
from rl_lab.orchestrator.context import open_context
from rl_lab.orchestrator.experiments.planner import Planner
from rl_lab.orchestrator.experiments.plans import Plans
from rl_lab.orchestrator.experiments.study_ends import StudyEnds
from rl_lab.orchestrator.home import make_home
from rl_lab.orchestrator.runs.requests import NewRun, train_config
from rl_lab.runners.registry import find_spec
from rl_lab.settings import Settings
from rl_lab.store import runs
from rl_lab.store.experiments import studies, variants

TRIALS, BAR_MS = 100, 30.0
SWEEP = Sweep(
    method="tpe",
    points=TRIALS,
    seed=1,
    parameters={
        "learning_rate": Range(low=1e-5, high=1e-1, scale="log"),
        "gamma": Range(low=0.9, high=0.999),
        "n_epochs": Range(low=1, high=20, step=1),
        "hidden": Choices(values=[32, 64, 128]),
    },
)
CARTPOLE = Environment(
    id="CartPole-v1",
    name="Cart Pole",
    family="classic control",
    action_space_type="discrete",
    action_space="DISCRETE(2)",
    obs_space_type="box",
    obs_space="BOX(4)",
    obs_space_dims=[4],
    package="gymnasium",
)


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        times, best = asyncio.run(sweep(Path(folder)))
    assert best > -0.5, f"the sweep found nothing: {best}"
    return [
        at_most(
            f"TPE sweep of {TRIALS} trials: study per trial, mean", sum(times) / len(times), BAR_MS, " ms"
        ),
        at_most("the same, 95th percentile", quantile(times, 0.95), 2 * BAR_MS, " ms"),
    ]


async def sweep(home: Path) -> tuple[list[float], float]:
    """Milliseconds per trial, and the best value found."""
    make_home(home)
    async with open_context(Settings(home=home, min_free_bytes=0)) as context:
        planner = Planner(
            context,
            Plans(complete),
            ends=StudyEnds(context, ignore),
            wake_queue=lambda: None,
            training_slots=lambda: 1,
        )
        study = new_study()
        await context.db.write(lambda conn: studies.insert(conn, study))
        await planner.advance(study.id)  # the first imports Optuna
        times = []
        for _ in range(TRIALS):
            await context.db.write(lambda conn: train(conn, study.id))
            started = time.perf_counter()
            await planner.advance(study.id)
            times.append((time.perf_counter() - started) * 1000)
        found = await context.db.read(lambda conn: variants.list_all(conn, study.id))
        ended = await context.db.read(lambda conn: studies.get(conn, study.id))
    assert (len(found), ended.status) == (TRIALS, StudyStatus.finished)
    return times, max(variant.value or -math.inf for variant in found)


def new_study() -> Study:
    now = datetime.now(UTC)
    base = {"env_id": CARTPOLE.id, "algorithm": "ppo", "runner": "turbo", "total_timesteps": 10_000}
    plan = StudyPlan(base=base, sweep=SWEEP, seeds=[1])
    return Study(
        id=new_run_id(),
        name="bench",
        status=StudyStatus.running,
        plan=plan,
        created_at=now,
        started_at=now,
        updated_at=now,
    )


async def complete(new: NewRun) -> TrainConfig:
    return train_config(new, find_spec(new.runner), [CARTPOLE])


async def ignore(_: object) -> None:
    return None


def train(conn: Connection, study_id: str) -> None:
    """The run that waits ends with the value of the formula."""
    waiting = studies.list_runs(conn, study_id, [RunStatus.queued])
    assert len(waiting) == 1, f"one run should wait, not {len(waiting)}"
    run, state = runs.get(conn, waiting[0]), RunStatus.queued
    for to in (RunStatus.starting, RunStatus.running):
        runs.change_status(conn, run.id, expected=state, to=to)
        state = to
    runs.update_progress(
        conn, run.id, Progress(timestep=10_000, fraction=1.0), Summary(mean_reward=objective(run))
    )
    runs.change_status(conn, run.id, expected=state, to=RunStatus.succeeded)


def objective(run: Run) -> float:
    assert isinstance(run.config, TrainConfig)
    params = run.config.params
    rate = math.log10(float(params["learning_rate"]))
    return -((rate + 3) ** 2) - ((float(params["n_epochs"]) - 6) / 10) ** 2
