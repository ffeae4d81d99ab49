"""Collects what the lab knows about a checkpoint, for its card. Blocks; read on a thread with a connection."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, NamedTuple

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone, NotFound
from rl_lab.core.evaluations import EvaluationSummary, read_result
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.forms import FORM_NAMES
from rl_lab.core.models.packages import Ancestor, CardFacts, LicenceId, MeasuredBy
from rl_lab.core.reproduction.origins import ModelOrigin
from rl_lab.core.reproduction.snapshots import Snapshot
from rl_lab.core.runs import Run, RunStatus
from rl_lab.runners.registry import load_runner
from rl_lab.store import artifacts, run_pages, runs
from rl_lab.store.run_pages import RunFilter

MOST_EVALUATIONS = 200


class Rights(NamedTuple):
    """How others may use the model, and whose it is."""

    licence: LicenceId
    author: str


def collect_facts(
    conn: Connection, checkpoint: Artifact, snapshot: Snapshot | None, rights: Rights
) -> CardFacts:
    run = runs.get(conn, checkpoint.run_id)
    config = run.config
    assert isinstance(config, TrainConfig)
    spec = load_runner(config.runner).spec
    imported = run.origin if isinstance(run.origin, ModelOrigin) else None
    return CardFacts(
        run_id=run.id,
        run_name=run.name,
        env_id=config.env_id,
        env_kwargs=config.env_kwargs,
        runner=spec.name,
        runner_id=spec.id,
        algorithm=config.algorithm.upper(),
        timestep=(checkpoint.timestep or None) if imported else checkpoint.timestep,
        role=checkpoint.role,
        sha256=checkpoint.sha256,
        changed=_changed(config),
        **(_of_import(imported) if imported else _of_training(run, config, checkpoint)),
        evaluation=_choose(list_evaluations(conn, checkpoint)),
        ancestor=_ancestor(conn, config),
        licence=rights.licence,
        author=rights.author,
        lab_version=version("rl-lab"),
        **_machine(snapshot),
    )


def _of_training(run: Run, config: TrainConfig, checkpoint: Artifact) -> dict[str, Any]:
    return {
        "seed": config.seed,
        "total_timesteps": config.total_timesteps,
        "preset": config.preset,
        "trained_s": run.progress.elapsed_s,
        "trained_at": checkpoint.created_at,
        "episodes": run.progress.episodes,
        "training_score": checkpoint.score,
    }


def _of_import(origin: ModelOrigin) -> dict[str, Any]:
    """Others have trained it: seed, date and length of the run in this lab say nothing about that."""
    place = f" of {origin.repository} on the Hugging Face Hub" if origin.repository else ""
    revision = f", revision {origin.revision[:12]}" if origin.repository and origin.revision else ""
    return {"seed": None, "origin": f"{origin.file}{place}{revision} ({FORM_NAMES[origin.form]})"}


def list_evaluations(conn: Connection, checkpoint: Artifact) -> list[MeasuredBy]:
    """Finished evaluations of exactly this checkpoint, newest first."""
    wanted = RunFilter(kind=RunKind.evaluate, parent_id=checkpoint.run_id, archived=None)
    page = run_pages.find_page(conn, wanted, limit=MOST_EVALUATIONS)
    found = []
    for job in page.items:
        summary = read_result(EvaluationSummary, job.summary.result)
        if job.status is RunStatus.succeeded and summary is not None and _is_of(job, summary, checkpoint):
            found.append(MeasuredBy(job_id=job.id, summary=summary))
    return found


def find_video(conn: Connection, checkpoint: Artifact) -> Artifact | None:
    """The newest video of an evaluation of this checkpoint."""
    jobs = {one.job_id for one in list_evaluations(conn, checkpoint)}
    videos = artifacts.list_of_kinds(conn, checkpoint.run_id, ["video"])
    return next((video for video in videos if video.data.get("job") in jobs), None)


def _is_of(job: Run, summary: EvaluationSummary, checkpoint: Artifact) -> bool:
    """By hash; evaluations of earlier versions have none. A training replaces the file of its best checkpoint, so the
    id alone does not decide."""
    if summary.checkpoint_sha256:
        return summary.checkpoint_sha256 == checkpoint.sha256
    if summary.checkpoint_timestep != checkpoint.timestep or job.created_at < checkpoint.created_at:
        return False
    asked = job.config.checkpoint if isinstance(job.config, EvaluateConfig) else None
    return asked == checkpoint.id or (asked is None and summary.checkpoint_role == checkpoint.role)


def _choose(found: list[MeasuredBy]) -> MeasuredBy | None:
    """The one with the most episodes; of several the newest."""
    return max(found, key=lambda one: one.summary.episodes, default=None)


def _changed(config: TrainConfig) -> dict[str, Any]:
    """Parameters that differ from the algorithm's defaults."""
    defaults = load_runner(config.runner).spec.algorithm(config.algorithm).params().model_dump(mode="json")
    return {
        name: value
        for name, value in config.params.items()
        if name not in defaults or defaults[name] != value
    }


def _ancestor(conn: Connection, config: TrainConfig) -> Ancestor | None:
    start = config.start_from
    if start is None:
        return None
    try:
        name = runs.get(conn, start.run_id).name
    except (NotFound, Gone):
        name = ""
    return Ancestor(run_id=start.run_id, name=name, timestep=start.timestep, sha256=start.sha256)


def _machine(snapshot: Snapshot | None) -> dict[str, Any]:
    if snapshot is None:
        return {}
    cpu, gpu = snapshot.cpu, snapshot.gpu
    parts = [str(cpu["model"])] if cpu.get("model") else []
    parts += [f"{cpu['cores']} cores"] if cpu.get("cores") else []
    parts += [str(device) for device in gpu.get("devices") or []]
    return {
        "python": str(snapshot.python.get("version") or ""),
        "packages": {str(name): str(one) for name, one in snapshot.packages.items()},
        "hardware": ", ".join(parts),
    }
