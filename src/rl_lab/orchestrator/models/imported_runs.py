"""The run that an imported model becomes: a training that has succeeded elsewhere, with one checkpoint."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import orjson
from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.checkpoints import Score
from rl_lab.core.models.forms import FORM_NAMES
from rl_lab.core.models.imports import Claim, ImportChoices, ImportPreview, ImportSource
from rl_lab.core.reproduction.origins import ModelOrigin
from rl_lab.core.runs import EndReason, Progress, Run, RunStatus
from rl_lab.orchestrator.background import undivided
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.models.uploads import MOVING
from rl_lab.runners.registry import load_runner
from rl_lab.store import artifacts, events, runs
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder

ROLE = "imported"
ANY_MODEL = frozenset({"", "model", "policy", "best_model", "final_model", "checkpoint", "agent"})
"""What most model files are called, so it names none of them."""


@dataclass(frozen=True)
class ImportedModel:
    """A model that can be imported: what its files hold, and what was decided about it."""

    preview: ImportPreview
    env_id: str
    choices: ImportChoices
    source: ImportSource

    @property
    def path(self) -> str:
        """Of its checkpoint, in the run's folder."""
        return f"checkpoints/{ROLE}{load_runner(self.preview.runner).spec.checkpoint_suffix}"

    @property
    def name(self) -> str:
        stem = PurePosixPath(self.preview.file).stem
        if stem.lower() in ANY_MODEL:
            stem = f"Imported {self.preview.algorithm.upper()} on {self.env_id}"
        return self.choices.name or self.source.repository or stem


def make_run(run_id: str, model: ImportedModel, made: dict[str, Any]) -> tuple[Run, Artifact]:
    """`made` is what the reading process answered, with size and hash of the checkpoint."""
    preview, now = model.preview, datetime.now(UTC)
    notes = [*preview.notes, *made["notes"]]
    origin = ModelOrigin(
        file=preview.file,
        sha256=preview.sha256,
        form=preview.form,
        repository=model.source.repository,
        revision=model.source.revision,
        notes=list(dict.fromkeys(notes)),
        imported_at=now,
    )
    config = TrainConfig(
        runner=preview.runner,
        algorithm=made["algorithm"],
        env_id=model.env_id,
        env_kwargs=model.choices.env_kwargs,
        total_timesteps=preview.timesteps,
        params=made["params"],
        evaluate_after=0,
    )
    run = Run(
        id=run_id,
        name=model.name,
        status=RunStatus.succeeded,
        config=config,
        env_id=model.env_id,
        algorithm=made["algorithm"],
        origin=origin,
        reason=EndReason(
            cause="imported", message=f"Imported from {preview.file}; it was trained elsewhere."
        ),
        progress=Progress(
            timestep=preview.timesteps, total_timesteps=preview.timesteps, fraction=1.0, last_event_at=now
        ),
        created_at=now,
        ended_at=now,
        updated_at=now,
    )
    return run, _checkpoint(run, model, made)


def _checkpoint(run: Run, model: ImportedModel, made: dict[str, Any]) -> Artifact:
    claim = _score(model.preview.claim)
    return Artifact(
        id=artifacts.artifact_id(run.id, model.path),
        run_id=run.id,
        path=model.path,
        kind="checkpoint",
        title=f"Imported {FORM_NAMES[model.preview.form]}",
        size=made["size"],
        sha256=made["sha256"],
        created_at=run.created_at,
        timestep=model.preview.timesteps,
        role=ROLE,
        pinned=True,  # the only checkpoint of its run: retention must not take it
        evaluation=claim,
        evaluation_mean=claim.mean if claim else None,
    )


def _score(claim: Claim | None) -> Score | None:
    if claim is None:
        return None
    return Score(
        mean=claim.mean, protocol="import", episodes=claim.episodes, deterministic=claim.deterministic
    )


async def insert(context: Context, aside: Path, run: Run, checkpoint: Artifact) -> Run:
    """Moves the folder that was made in `aside` to the others and lists the run; all of it or nothing."""
    listed = await undivided(_put(context, aside, run, checkpoint))
    context.changes.run_changed(listed)
    context.changes.events_written()
    return listed


async def _put(context: Context, aside: Path, run: Run, checkpoint: Artifact) -> Run:
    target = RunFolder(context.home, run.id).path
    try:
        await asyncio.to_thread(_move, aside, run.id, target)
        return await context.db.write(lambda conn: _write(conn, run, checkpoint))
    except BaseException:
        await asyncio.to_thread(remove_tree, target)
        raise
    finally:
        (aside / MOVING).unlink(missing_ok=True)


def _move(aside: Path, run_id: str, target: Path) -> None:
    (aside / MOVING).write_bytes(orjson.dumps(run_id))
    target.parent.mkdir(exist_ok=True)
    RunFolder(aside, run_id).path.rename(target)


def _write(conn: Connection, run: Run, checkpoint: Artifact) -> Run:
    origin = run.origin
    assert isinstance(origin, ModelOrigin)
    runs.insert(conn, run)
    artifacts.upsert(conn, checkpoint)
    where = f" of {origin.repository}" if origin.repository else ""
    data = {"file": origin.file, "sha256": origin.sha256, "form": origin.form}
    words = f"{FORM_NAMES[origin.form]} imported from {origin.file}{where} (SHA-256 {origin.sha256[:12]}…)."
    events.append(conn, run.id, event_log.IMPORTED, words[0].upper() + words[1:], data=data)
    for note in origin.notes:
        events.append(conn, run.id, event_log.IMPORTED, note, level="warning")
    return runs.get(conn, run.id)
