"""The job of a duel: several checkpoints on the same seeds, seen side by side."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from rl_lab.analysis.statistics import paired_difference
from rl_lab.core.evaluations import DuelSide, DuelSummary, PairedDifference, write_result
from rl_lab.core.jobs.policy_jobs import DuelConfig
from rl_lab.portable.atomic_files import save_file
from rl_lab.portable.evaluation_seeds import derived_seeds
from rl_lab.worker.environments.drawing import Frame
from rl_lab.worker.jobs.duel_sides import Side, load_sides
from rl_lab.worker.jobs.episodes import Played, Table, log_notes, summarise
from rl_lab.worker.policies import seed_sampling
from rl_lab.worker.rendering.captions import side_by_side
from rl_lab.worker.rendering.simulation import render_fps
from rl_lab.worker.rendering.videos import Mp4Writer, encoder_problem, frame_stride, video_name
from rl_lab.worker.session import Session

FILMED_SEEDS = 3
"""Seeds shown in the video; the rest is only measured."""


def duel(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, DuelConfig)
    seeds = session.job.inputs.get("seeds") or derived_seeds(config.seed, config.episodes)
    sides = load_sides(session.job.inputs)
    problem = encoder_problem() if config.record else None
    if problem is not None:
        session.telemetry.log("warning", f"The video could not be made: {problem}", code="no_video")
    is_filmed = config.record and problem is None
    tables = [Table(session, side.config, env_index=n, draw=is_filmed) for n, side in enumerate(sides)]
    for side in sides:
        log_notes(session, side.policy)
    seed_sampling(config.seed)
    played: list[list[Played]] = [[] for _ in sides]
    with contextlib.ExitStack() as stack:
        for table in tables:
            stack.callback(table.close)
        film = _Film(session, tables, [side.label for side in sides]) if is_filmed else None
        if film:
            stack.enter_context(film.writer)
        session.telemetry.status("progress", timestep=0, total=len(seeds))
        for number, seed in enumerate(seeds):
            round_ = _play_round(
                tables, sides, seed, config.deterministic, film if number < FILMED_SEEDS else None
            )
            if round_ is None:
                break
            for episodes, one in zip(played, round_, strict=True):
                episodes.append(one)
            session.telemetry.status("progress", timestep=number + 1, total=len(seeds))
    if not played[0]:
        return {}  # stopped before all had played the first seed
    return _save(session, sides, played, config, film)


class _Film:
    """Keeps the frames of one seed, side by side, until all have played it."""

    def __init__(self, session: Session, tables: Sequence[Table], labels: list[str]) -> None:
        self.labels = labels
        self.stride, fps = frame_stride(render_fps(tables[0].env))
        self.path = session.files_dir / "eval" / f"{video_name('duel')}.mp4"
        self.writer = Mp4Writer(self.path, fps)
        self._rows: list[list[Frame]] = []

    def begin(self) -> None:
        self._rows = [[] for _ in self.labels]

    def keep(self, side: int, frame: Frame) -> None:
        self._rows[side].append(frame)

    def end(self) -> None:
        last = [row[-1] for row in self._rows]
        for frames in zip_longest(*self._rows):
            shown = [frame if frame is not None else last[n] for n, frame in enumerate(frames)]
            self.writer.add(side_by_side(shown, self.labels))


def _play_round(
    tables: Sequence[Table], sides: Sequence[Side], seed: int, deterministic: bool, film: _Film | None
) -> list[Played] | None:
    results = []
    if film:
        film.begin()
    for number, (table, side) in enumerate(zip(tables, sides, strict=True)):
        on_frame = partial(film.keep, number) if film else None
        stride = film.stride if film else 1
        side.begin(seed)
        one = table.play(side.policy, seed, deterministic=deterministic, on_frame=on_frame, draw_every=stride)
        if one is None:
            return None
        side.end(one.returned)
        results.append(one)
    if film:
        film.end()
    return results


def _save(
    session: Session,
    contestants: list[Side],
    played: list[list[Played]],
    config: DuelConfig,
    film: _Film | None,
) -> dict[str, Any]:
    returns = np.array([[p.returned for p in side] for side in played])
    best = returns.max(axis=0)
    alone = (returns == best).sum(axis=0) == 1
    sides = [
        DuelSide(
            run_id=contestant.run_id,
            label=contestant.label,
            summary=summarise(episodes, deterministic=config.deterministic, env=session.job.env),
            wins=int(((returns[n] == best) & alone).sum()),
        )
        for n, (contestant, episodes) in enumerate(zip(contestants, played, strict=True))
    ]
    summary = DuelSummary(
        env_id=contestants[0].config.env_id,
        seeds=[p.seed for p in played[0]],
        sides=sides,
        differences=[_difference(contestants, returns, n) for n in range(1, len(contestants))],
        video=str(film.path.relative_to(session.run_dir)) if film and film.path.is_file() else None,
    )
    path = session.files_dir / "eval" / "duel.json"
    save_file(lambda aside: aside.write_text(summary.model_dump_json(indent=2)), path)
    name = str(path.relative_to(session.run_dir))
    session.telemetry.artifact(path=name, kind="summary", title="Duel")
    if film and summary.video:
        session.telemetry.artifact(
            path=summary.video, kind="video", title="Duel", size=film.path.stat().st_size
        )
    return write_result(summary)


def _difference(sides: list[Side], returns: Any, other: int) -> PairedDifference:
    found = paired_difference(returns[0], returns[other])
    return PairedDifference(
        first=sides[0].label,
        second=sides[other].label,
        mean=found.difference.value,
        ci=(found.difference.low, found.difference.high),
        ci_level=found.difference.level,
        wins_first=found.wins,
        wins_second=found.losses,
        ties=found.ties,
    )
