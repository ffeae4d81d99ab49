"""What a film shows: the first, the best, the last, and what lies spread evenly over the run between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import NotReady
from rl_lab.core.recordings import Recording
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader

CURVE_POINTS = 60
PAGE = 200


def spread_checkpoints(found: Sequence[Artifact], count: int) -> list[Artifact]:
    """First, last and best, and the rest nearest to even distances in steps; in the order of the training.

    A step has one scene; the best checkpoint stands for others of its step.
    """
    by_step = {one.timestep or 0: one for one in sorted(found, key=lambda one: one.role == "best")}
    steps = sorted(by_step)
    best = next((step for step in steps if by_step[step].role == "best"), steps[-1])
    wanted = [best, steps[-1], steps[0]] + [steps[-1] * k / max(1, count - 1) for k in range(1, count - 1)]
    chosen: list[int] = []
    for step in wanted:
        left = [one for one in steps if one not in chosen]
        if left and len(chosen) < count:
            chosen.append(min(left, key=lambda one: abs(one - step)))
    return [by_step[step] for step in sorted(chosen)]


def choose_scenes(home: Path, run_id: str, count: int, *, of_play: bool = False) -> list[Recording]:
    path = RunFolder(home, run_id).telemetry
    if not path.exists():
        begin = "Wait until it has begun, and play." if of_play else "Start it first."
        raise NotReady("This run has not begun, so there is nothing to film.", next_step=begin)
    with TelemetryReader(path, run_id) as telemetry:
        chosen = spread(_recorded(telemetry), count)
        scenes = [telemetry.recording(row.episode) for row in chosen]
    found = [scene for scene in scenes if scene is not None and scene.action]
    if not found:
        raise _nothing_played() if of_play else _nothing_recorded()
    return found


def _nothing_played() -> NotReady:
    return NotReady(
        "No episode of this play is recorded, so there is nothing to film.",
        next_step="Play at least one step: an episode is recorded when it ends, is restarted, or the play ends.",
    )


def _nothing_recorded() -> NotReady:
    return NotReady(
        "No episode of this run is recorded, so there is nothing to film.",
        next_step="The event log says what could not be captured; a training with recording on keeps them.",
    )


def read_curve(home: Path, run_id: str) -> list[float]:
    """The reward over the training, as few points as a corner can show."""
    if not RunFolder(home, run_id).telemetry.exists():
        return []  # an imported model
    with TelemetryReader(RunFolder(home, run_id).telemetry, run_id) as telemetry:
        values = telemetry.overview("reward", CURVE_POINTS * 10).value
    block = max(1, len(values) // CURVE_POINTS)
    return [
        float(sum(values[i : i + block]) / len(values[i : i + block])) for i in range(0, len(values), block)
    ]


def spread(rows: list[EpisodeRow], count: int) -> list[EpisodeRow]:
    """First, last and best, and the rest nearest to even distances in timesteps; in the order of the training."""
    if len(rows) <= count:
        return rows
    best = max(rows, key=lambda r: (r.reward if r.reward is not None else float("-inf"), r.episode))
    chosen = {rows[0].episode: rows[0], rows[-1].episode: rows[-1]} if count > 1 else {}
    chosen[best.episode] = best
    last = rows[-1].timestep or 0
    for number in range(1, count - 1):
        wanted = last * number / (count - 1)
        nearest = min(rows, key=lambda r: abs((r.timestep or 0) - wanted))
        if len(chosen) < count:
            chosen[nearest.episode] = nearest
    return sorted(chosen.values(), key=lambda r: r.episode)[:count]


def _recorded(telemetry: TelemetryReader) -> list[EpisodeRow]:
    """All recorded episodes, thinned to a few thousand for very long runs."""
    rows: list[EpisodeRow] = []
    cursor = None
    while True:
        page = telemetry.episodes(EpisodeFilter(recorded=True), "episode", PAGE, cursor)
        rows.extend(page.items)
        cursor = page.next_cursor
        if cursor is None or len(rows) >= 20_000:
            return rows
