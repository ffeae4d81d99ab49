"""What a part of the journal changes in lab.db: lines of the event log, files of the run, the config of a script.

All of it may be written twice: a line is identified by its number in the attempt, a file by its path.
"""

from __future__ import annotations

import mimetypes
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.models.checkpoints import Score
from rl_lab.core.plays.players import PLAYERS
from rl_lab.core.protocol.events import ArtifactEvent, CheckpointEvent, EvaluationEvent
from rl_lab.core.protocol.lines import as_float
from rl_lab.core.runs import Run
from rl_lab.orchestrator.ingest.episode_rows import is_comparable
from rl_lab.orchestrator.ingest.fold_result import FoldResult
from rl_lab.orchestrator.ingest.metric_values import finite
from rl_lab.orchestrator.ingest.plausibility import is_safe_path
from rl_lab.orchestrator.ingest.run_state import as_time
from rl_lab.store import artifacts, events, removals, runs
from rl_lab.store.plays import play_episodes
from rl_lab.store.plays.play_episodes import PlayEpisode
from rl_lab.store.telemetry.batch import NewEpisode

KINDS = frozenset(
    {
        "checkpoint",
        "model",
        "video",
        "clip",
        "film",
        "summary",
        "report",
        "certificate",
        "config",
        "metrics",
        "log",
        "image",
        "tensorboard",
        "wandb",
    }
)


MAX_PARTS = 200
"""Other files that a checkpoint may need."""
REPORTED_UPLOADS = ("uploading", "finished", "failed")
"""What a W&B run may report about itself; the rest follows from its files."""


def write_to_lab_db(conn: Connection, run_id: str, attempt: int, result: FoldResult) -> Run | None:
    """Returns the run if its config changed."""
    for line in result.logs:
        events.append(
            conn,
            run_id,
            line.event_type,
            line.message,
            data=line.data,
            attempt=attempt,
            seq=line.seq,
            at=as_time(line.t),
        )
    for file in result.files:
        with removals.replaced_parts(conn, run_id, artifacts.artifact_id(run_id, file.path)):
            artifacts.upsert(conn, to_artifact(run_id, file))
    for episode in result.episodes:
        if episode.extra and episode.extra.get("player") in PLAYERS:
            _put_play_episode(conn, run_id, episode)
    for evaluation in result.evaluations:
        artifacts.add_evaluation(conn, run_id, evaluation.sha256[:64], to_score(evaluation))
    return runs.learn(conn, run_id, result.script_config) if result.script_config else None


def _put_play_episode(conn: Connection, run_id: str, episode: NewEpisode) -> None:
    """For high scores and duels."""
    extra = episode.extra or {}
    env_id = play_episodes.find_env_id(conn, run_id)
    if env_id is None or not is_comparable(extra) or episode.reward is None:
        return
    play_episodes.put(
        conn,
        PlayEpisode(
            run_id=run_id,
            episode=episode.episode,
            env_id=env_id,
            player=extra["player"],
            seed=episode.seed,
            returned=episode.reward,
            length=episode.length or 0,
            at=as_time(episode.at) or datetime.now(UTC),
        ),
    )


def to_artifact(run_id: str, event: CheckpointEvent | ArtifactEvent) -> Artifact:
    common = {
        "id": artifacts.artifact_id(run_id, event.path),
        "run_id": run_id,
        "path": event.path,
        "size": event.size,
        "sha256": event.sha256[:64],
        "media_type": media_type(event.path),
        "created_at": as_time(event.t) or datetime.now(UTC),
    }
    if isinstance(event, CheckpointEvent):
        score = as_float(event.score) if event.score is not None else None
        title = f"Checkpoint at step {event.timestep:,}"
        return Artifact(
            **common,
            kind="checkpoint",
            title=title,
            timestep=event.timestep,
            role=event.role,
            score=score,
            score_episodes=event.score_episodes,
            data=_checkpoint_data(event),
        )
    kind = event.kind if event.kind in KINDS else "file"
    data = {"url": event.url} if event.url else {}
    if kind == "wandb" and event.upload in REPORTED_UPLOADS:
        data["upload"] = event.upload
    return Artifact(**common, kind=kind, title=event.title[:200] or event.path, data=data)


def _checkpoint_data(event: CheckpointEvent) -> dict[str, Any]:
    parts = [
        {"path": part["path"], "sha256": part.get("sha256", "")[:64]}
        for part in event.parts[:MAX_PARTS]
        if is_safe_path(part.get("path", ""))
    ]
    return {**({"parts": parts} if parts else {}), **({"lacks": event.lacks[:300]} if event.lacks else {})}


def to_score(event: EvaluationEvent) -> Score:
    low, high = (
        None if end is None else finite(as_float(end)) for end in (event.return_low, event.return_high)
    )
    return Score(
        mean=as_float(event.return_mean),
        protocol="evaluate_every",
        episodes=event.episodes,
        interval=None if low is None or high is None else (low, high),
        level=event.level,
        deterministic=event.deterministic,
    )


def media_type(path: str) -> str:
    return mimetypes.guess_type(path, strict=True)[0] or "application/octet-stream"
