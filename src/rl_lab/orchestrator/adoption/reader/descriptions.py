"""An adopted run as the lab lists it: record, progress, summary and files, out of what was read."""

from __future__ import annotations

import mimetypes
import os
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

from rl_lab.analysis.adoption.pieces import Facts
from rl_lab.core import event_log
from rl_lab.core.adoption import JoinedFolder, Source
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.jobs.choices import MAX_TIMESTEPS
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import EndReason, Progress, Run, RunStatus, Summary
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.adoption.reader.bookmarks import Memory
from rl_lab.orchestrator.adoption.reader.keeper import Keeper
from rl_lab.orchestrator.adoption.reader.messages import Note
from rl_lab.orchestrator.adoption.reader.sources import KINDS, SourceFolder, newest_mtime, role_of
from rl_lab.store.artifacts import artifact_id
from rl_lab.store.telemetry import TelemetryReader

NAMED = 5
"""Metrics that one line of the event log names."""
COPIES = "files"
"""Where copies of the source's files lie in the run's folder."""
TITLES = {
    "events": "TensorBoard events",
    "monitor": "Episodes",
    "progress": "Updates",
    "evaluations": "Evaluations",
    "results": "Ray Tune results",
    "wandb": "W&B run",
    "mlflow": "MLflow metric",
    "trackio": "Trackio project",
}


def describe_run(
    keeper: Keeper,
    source: SourceFolder,
    root: str,
    *,
    tags: list[str],
    is_followed: bool,
    copied: bool,
    joined: Mapping[str, str],
) -> Run:
    memory, facts = keeper.memory, keeper.facts
    began = _moment(facts.began or memory.first_t, newest_mtime(source))
    ended = _moment(memory.standing.last_t, newest_mtime(source))
    status, reason = _ending(source, facts, is_followed)
    return Run(
        id=keeper.run_id,
        name=facts.title or _name(source.path, root),
        status=status,
        config=describe_config(facts),
        tags=list(dict.fromkeys(["adopted", *tags, *facts.tags])),
        source=Source(
            folder=source.folder,
            format=source.format,
            key=source.key,
            is_followed=is_followed,
            copied=copied,
            joined=[JoinedFolder(folder=folder, evidence=why) for folder, why in joined.items()],
        ),
        reason=reason,
        progress=describe_progress(memory, facts, is_followed),
        summary=describe_summary(keeper),
        created_at=began,
        started_at=began,
        ended_at=None if is_followed else max(began, ended),
        updated_at=datetime.now(UTC),
    )


def describe_config(facts: Facts) -> TrainConfig:
    return TrainConfig(
        runner="adopted",
        algorithm=facts.algorithm[:200],
        env_id=facts.env_id[:200],
        total_timesteps=min(facts.total_timesteps, MAX_TIMESTEPS),
        seed=facts.seed,
        args=facts.args,
        record=False,
        evaluate_after=0,
    )


def describe_progress(memory: Memory, facts: Facts, is_followed: bool) -> Progress:
    """A run that is over is done, however long it was meant to be."""
    standing = memory.standing
    standing.total_timesteps = facts.total_timesteps
    progress = standing.progress()
    if not is_followed:
        return progress.model_copy(
            update={
                "total_timesteps": facts.total_timesteps or standing.timestep,
                "fraction": 1.0,
                "eta_s": None,
            }
        )
    return progress


def describe_summary(keeper: Keeper) -> Summary:
    memory = keeper.memory
    summary = memory.standing.summary().model_copy(update={"metrics": _last_values(keeper)})
    if memory.has_episodes or memory.means.last is None:
        return summary
    means = memory.means
    return summary.model_copy(
        update={
            "mean_reward": means.last,
            "best_mean_reward": means.best,
            "last_reward": means.last,
            "best_reward": means.best,
            "sparkline": list(means.line),
        }
    )


def _last_values(keeper: Keeper) -> dict[str, float | None]:
    path = keeper.folder.telemetry
    if not path.exists():
        return {}
    with TelemetryReader(path, keeper.run_id) as telemetry:
        return telemetry.last_values()


def describe_notes(keeper: Keeper) -> list[Note]:
    """What the event log says about the values that were just read."""
    if not keeper.not_finite:
        return []
    parts = [
        f"{name} ({plural(count, 'value')}, the first at step {step:,})"
        for name, (count, step) in list(keeper.not_finite.items())[:NAMED]
    ]
    more = len(keeper.not_finite) - NAMED
    if more > 0:
        parts.append(plural(more, "more metric"))
    data = {name: count for name, (count, _) in keeper.not_finite.items()}
    message = f"NaN or infinite values were read and kept: {', '.join(parts)}."
    return [Note(event_log.VALUES_NOT_FINITE.name, message, data)]


def describe_files(run_id: str, source: SourceFolder, *, copied: bool) -> list[Artifact]:
    """The source's files: opened beneath it, or beneath the run's folder once copied."""
    found = []
    for part in source.parts:
        for name in part.files:
            try:
                info = Path(part.folder, name).stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISREG(info.st_mode):
                found.append(_artifact(run_id, part, name, info, copied))
    return found


def _artifact(run_id: str, part: SourceFolder, name: str, info: os.stat_result, copied: bool) -> Artifact:
    listed = f"{part.shown}{name}"
    path = f"{COPIES}/{listed}" if copied else listed
    role = role_of(name.rpartition("/")[2])
    kind = KINDS.get(PurePath(name).suffix.lower(), "metrics")
    data: dict[str, Any] = {} if copied else {"in_source": True}
    if part.prefix and not copied:
        data |= {"joined": part.path, "name": name}
    return Artifact(
        id=artifact_id(run_id, path),
        run_id=run_id,
        path=path,
        kind="metrics" if role else kind,
        title=f"{TITLES[role]}: {listed}" if role else listed,
        size=info.st_size,
        media_type=mimetypes.guess_type(name, strict=True)[0] or "application/octet-stream",
        created_at=datetime.fromtimestamp(info.st_mtime, UTC),
        data=data,
    )


def _ending(source: SourceFolder, facts: Facts, is_followed: bool) -> tuple[RunStatus, EndReason | None]:
    if is_followed:
        return RunStatus.followed, None
    if facts.failure:
        message = f"Adopted from {source.path}, where it had failed: {facts.failure}"
        return RunStatus.failed, EndReason(cause="adopted", message=message)
    message = f"Adopted from {source.path}, as it was found there."
    return RunStatus.succeeded, EndReason(cause="adopted", message=message)


def _moment(t: float | None, otherwise: float) -> datetime:
    """A time out of a file, if it can be one."""
    now = datetime.now(UTC).timestamp()
    return datetime.fromtimestamp(t if t is not None and 0 < t < now + 86_400 else otherwise, UTC)


def _name(path: str, root: str) -> str:
    """The folder's name, below what was asked for; its end when it is long."""
    inside = os.path.relpath(path, root)
    return (PurePath(path).name if inside == "." else inside)[-200:] or path[-200:]
