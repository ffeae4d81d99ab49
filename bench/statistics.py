"""Statistics over many runs: the aggregate curve of a study of 1,000 runs, and 50,000 stratified bootstrap samples.

The study has 10 variants × 100 seeds, each run 1,000 episodes in a telemetry.db of its own. Its learning curves are in
lab.db, where the lab puts them when a run ends. Where rliable can be imported, its own time is shown next to ours.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import numpy as np
from numpy.random import RandomState

from bench.figures import Figure, at_most
from bench.series import Columns
from bench.servers import lab_process
from rl_lab.analysis.statistics import rliable
from rl_lab.analysis.statistics.seed_curves import SeedCurve
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Progress, Run, RunStatus, Summary
from rl_lab.core.studies.studies import Study, StudyPlan, StudyStatus, Variant
from rl_lab.orchestrator.runs.curve_points import pack, read_seed_curve
from rl_lab.store import run_curves, runs
from rl_lab.store.experiments import studies, variants
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql.database import Database
from rl_lab.store.telemetry import TelemetryDb
from rl_lab.store.telemetry.batch import Batch, Position

STUDY, VARIANTS, SEEDS, EPISODES = "0" * 12, 10, 100, 1000


def figures() -> list[Figure]:
    found = [at_most("50,000 stratified bootstrap samples of 3 × 10 runs", _bootstrap_s(), 1, " s")]
    theirs = _rliable_s()
    if theirs is not None:
        found.append(Figure("the same in rliable 1.2.0", f"{theirs:.3g} s", "reported", True))
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        home = Path(folder)
        asyncio.run(fill(home))
        with lab_process(home) as lab, lab.client() as client:
            client.get("/api/studies").raise_for_status()
            address = f"/api/studies/{STUDY}/curves"
            first, cached = _ms(client, address), _ms(client, address)
            other = _ms(client, f"{address}?statistic=iqm")
            verdicts = _ms(client, f"/api/studies/{STUDY}/comparison")
    return [
        *found,
        at_most("1,000 runs × 1,000 points: aggregate curve with interval, first answer", first, 500, " ms"),
        at_most("the same again", cached, 50, " ms"),
        at_most("the same with the interquartile mean, first answer", other, 500, " ms"),
        Figure("the same study: all verdicts, first answer", f"{verdicts:,.3g} ms", "reported", True),
    ]


def _bootstrap_s() -> float:
    scores = np.random.default_rng(0).normal(1, 0.3, (10, 3))
    began = time.perf_counter()
    rliable.interval(scores, rliable.aggregate_iqm, RandomState(0))
    return time.perf_counter() - began


def _rliable_s() -> float | None:
    try:
        from rliable import library, metrics  # type: ignore[import-not-found]
    except ImportError:
        return None
    scores = np.random.default_rng(0).normal(1, 0.3, (10, 3))
    began = time.perf_counter()
    library.get_interval_estimates({"x": scores}, lambda x: np.array([metrics.aggregate_iqm(x)]), reps=50_000)
    return time.perf_counter() - began


def _ms(client: httpx2.Client, address: str) -> float:
    began = time.perf_counter()
    client.get(address).raise_for_status()
    return (time.perf_counter() - began) * 1000


async def fill(home: Path) -> None:
    database = Database(home)
    await database.migrate()
    now = datetime.now(UTC)
    plan = StudyPlan(base={"env_id": "CartPole-v1"}, seeds=list(range(SEEDS)))
    study = Study(
        id=STUDY, name="bench", status=StudyStatus.finished, plan=plan, created_at=now, updated_at=now
    )
    known = [
        Variant(study_id=STUDY, number=n, label=f"learning rate {n}", seeds=plan.seeds)
        for n in range(1, VARIANTS + 1)
    ]
    await database.write(lambda conn: studies.insert(conn, study))
    await database.write(lambda conn: variants.insert_all(conn, known))
    new = [_run(number, now) for number in range(VARIANTS * SEEDS)]
    await database.write(lambda conn: runs.insert_all(conn, new))
    curves = {run.id: pack(_curve(home, run), run.version) for run in new}
    await database.write(lambda conn: run_curves.put_all(conn, curves))
    await database.close()


def _run(number: int, now: datetime) -> Run:
    variant, seed = divmod(number, SEEDS)
    config = TrainConfig(
        algorithm="ppo", env_id="CartPole-v1", seed=seed, params={"learning_rate": variant + 1.0}
    )
    return Run(
        id=f"{number + 1:012d}",
        name=f"PPO · learning rate {variant + 1} · seed {seed}",
        status=RunStatus.succeeded,
        config=config,
        study_id=STUDY,
        variant=variant + 1,
        attempt=1,
        progress=Progress(timestep=100 * EPISODES, total_timesteps=100 * EPISODES),
        summary=Summary(mean_reward=300.0 + number % 37 + 5 * variant, best_mean_reward=400.0),
        created_at=now,
        updated_at=now,
    )


def _curve(home: Path, run: Run) -> SeedCurve:
    folder = RunFolder(home, run.id)
    folder.telemetry.parent.mkdir(parents=True, exist_ok=True)
    steps = 100 * np.arange(1, EPISODES + 1)
    values = np.random.default_rng(int(run.id)).gamma(2, 50, EPISODES) + steps / 500
    writer = TelemetryDb(folder.telemetry, waits_for_disk=False)
    columns = Columns(steps, 1.7e9 + steps * 0.01, values)
    writer.apply(Batch(Position(1, 1, EPISODES), points={"reward": columns}))
    writer.close()
    return read_seed_curve(home, run.id, "mean_reward")
