"""telemetry.db, one SQLite file per run: series, episodes, recordings, ticks.

`TelemetryDb` is the only writer and used by the ingest; everything else uses `TelemetryReader`.
"""

from rl_lab.store.telemetry.batch import Applied, Batch, NewEpisode, PointColumns, Position
from rl_lab.store.telemetry.episode_pages import EPISODE_SORTS, EpisodeFilter, EpisodePage
from rl_lab.store.telemetry.reader import TelemetryReader
from rl_lab.store.telemetry.writer import TelemetryDb

__all__ = [
    "EPISODE_SORTS",
    "Applied",
    "Batch",
    "EpisodeFilter",
    "EpisodePage",
    "NewEpisode",
    "PointColumns",
    "Position",
    "TelemetryDb",
    "TelemetryReader",
]
