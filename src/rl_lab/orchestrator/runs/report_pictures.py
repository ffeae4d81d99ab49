"""Pictures of the agent for a report: its first and its best recorded episode, drawn by the lab's own renderer."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import LabError
from rl_lab.core.recordings import Recording
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.looking import require_confined
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader

FRAMES = 6
DRAWING_S = 120.0


class StripSource(NamedTuple):
    """A recorded episode and its title in the report."""

    title: str
    row: EpisodeRow
    recording: Recording


def first_and_best(telemetry: TelemetryReader) -> list[StripSource]:
    """The recorded episodes to show, each with its title; one if the first is also the best."""
    wanted = {"First episode": "episode", "Best episode": "-reward"}
    found: dict[int, StripSource] = {}
    for title, sort in wanted.items():
        for row in telemetry.episodes(EpisodeFilter(recorded=True), sort, 1, None).items:
            recording = telemetry.recording(row.episode)
            if recording is not None and recording.action:
                found[row.episode] = StripSource(title, row, recording)
    return list(found.values())


async def draw_strips(
    episodes: list[StripSource], *, with_frames: bool, rights: Confinement | None
) -> tuple[list[dict[str, Any]], str | None]:
    """The episodes as filmstrips, and why there are no frames; a report without pictures is still a report.

    `rights` is what the process that draws may use, for a run of foreign code.
    """
    strips = [_strip(title, row) for title, row, _ in episodes]
    if not strips:
        return [], "This run kept no recorded episode, so there are no pictures of the agent."
    if not with_frames:
        return strips, None
    question = {
        "recordings": [msgspec.to_builtins(recording) for _, _, recording in episodes],
        "count": FRAMES,
    }
    try:
        for _, _, recording in episodes:
            require_confined(rights, recording.env_id)
        drawn = await call_worker("filmstrips", question, timeout_s=DRAWING_S, confine=rights)
    except LabError as error:
        return strips, error.detail
    return [strip | {"frames": frames} for strip, frames in zip(strips, drawn, strict=True)], None


def _strip(title: str, row: EpisodeRow) -> dict[str, Any]:
    return {
        "title": title,
        "episode": row.episode,
        "seed": row.seed,
        "timestep": row.timestep,
        "reward": row.reward,
        "length": row.length,
        "frames": [],
    }
