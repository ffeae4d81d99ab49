"""telemetry.db, one SQLite file per run: series, episodes, recordings, ticks.

`TelemetryDb` is the one writer (the ingest), `TelemetryReader` is for everybody else.
"""

from rl_lab.store.telemetry.batch import Applied, Batch, NewEpisode, Points, Position
from rl_lab.store.telemetry.episode_pages import EPISODE_SORTS, EpisodeFilter, EpisodePage
from rl_lab.store.telemetry.reader import TelemetryReader, Tick
from rl_lab.store.telemetry.writer import TelemetryDb

__all__ = [
    "EPISODE_SORTS",
    "Applied",
    "Batch",
    "EpisodeFilter",
    "EpisodePage",
    "NewEpisode",
    "Points",
    "Position",
    "TelemetryDb",
    "TelemetryReader",
    "Tick",
]
