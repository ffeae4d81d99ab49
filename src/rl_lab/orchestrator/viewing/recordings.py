"""Reads recordings from a run's telemetry; raises an error that says why one is missing."""

from __future__ import annotations

from pathlib import Path

from rl_lab.core.errors import Gone, NotFound
from rl_lab.core.recordings import Recording
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader


def read_recording(home: Path, run_id: str, episode: int) -> Recording:
    """NotFound when there is no such episode, Gone when its recording was not kept."""
    path = RunFolder(home, run_id).telemetry
    if not path.exists():
        raise NotFound(
            f"This run has no episode {episode}: it has not started yet.",
            next_step="Start it, then try again.",
        )
    with TelemetryReader(path, run_id) as telemetry:
        found = telemetry.recording(episode)
        if found is not None and found.action:
            return found
        telemetry.episode(episode)
        kept = telemetry.episodes(EpisodeFilter(recorded=True), "-episode", 1, None)
    if not kept.items:
        raise NotFound(
            f"Episode {episode} has no recording: this run keeps none.",
            next_step="The event log says what could not be captured; a training with recording on keeps them.",
        )
    raise Gone(
        f"The recording of episode {episode} was deleted to save space.",
        next_step=f"{kept.total:,} other episodes of this run can be replayed.",
    )


def newest_recording(home: Path, run_id: str) -> Recording | None:
    """The running episode, else the last one that ended; None before the first."""
    path = RunFolder(home, run_id).telemetry
    if not path.exists():
        return None
    with TelemetryReader(path, run_id) as telemetry:
        found = telemetry.live() or telemetry.latest_recording()
    return found if found is not None and found.action else None


def best_recording(home: Path, run_id: str) -> Recording | None:
    """The recorded episode with the highest return, the newest of equals; None when none was kept."""
    path = RunFolder(home, run_id).telemetry
    if not path.exists():
        return None
    with TelemetryReader(path, run_id) as telemetry:
        best = telemetry.episodes(EpisodeFilter(recorded=True), "-reward", 1, None).items
        found = telemetry.recording(best[0].episode) if best else None
    return found if found is not None and found.action else None
