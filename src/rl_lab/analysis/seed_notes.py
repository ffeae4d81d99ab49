"""What became of the seeds of a group, counted and in sentences: nothing is left out silently."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rl_lab.analysis.statistics.seed_curves import NO_CURVE, SeedCurve
from rl_lab.analysis.wording import number
from rl_lab.core.runs import FINAL, RunStatus
from rl_lab.core.studies.comparisons import SeedCounts

WHOLE = 0.95
"""A seed that reached this share of the steps of the longest one did not end early: episodes end at different steps."""
MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class SeedRun:
    """One run, as far as a comparison needs it."""

    run_id: str
    seed: int | None
    status: RunStatus
    final: float | None = None
    """Mean return of the last 100 episodes."""
    best: float | None = None
    evaluation: float | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Of evaluation code and derived metrics, by measure."""
    curve: SeedCurve = NO_CURVE
    returns_note: str = ""
    """Why the lab cannot check its returns."""

    @property
    def is_ended(self) -> bool:
        return self.status in FINAL

    @property
    def has_values(self) -> bool:
        return self.final is not None or len(self.curve) > 0


def count_seeds(runs: Sequence[SeedRun]) -> SeedCounts:
    return SeedCounts(
        total=len(runs),
        ended_early=len(_ended_early(runs)),
        failed=sum(run.is_ended and run.status is not RunStatus.succeeded for run in runs),
        training=sum(not run.is_ended for run in runs),
        without_values=len(_without_values(runs)),
        not_finite=len(_not_finite(runs)),
    )


def _ended_early(runs: Sequence[SeedRun]) -> list[SeedRun]:
    ended = [run for run in runs if run.is_ended and len(run.curve)]
    longest = max((run.curve.last_step for run in runs), default=0.0)
    return [run for run in ended if run.curve.last_step < WHOLE * longest]


def _without_values(runs: Sequence[SeedRun]) -> list[SeedRun]:
    return [run for run in runs if run.is_ended and not run.has_values]


def _not_finite(runs: Sequence[SeedRun]) -> list[SeedRun]:
    return [
        run
        for run in runs
        if run.curve.not_finite or (run.final is not None and not math.isfinite(run.final))
    ]


def describe_seeds(
    runs: Sequence[SeedRun], counts: SeedCounts, planned: int = 0, *, is_curve: bool = False
) -> list[str]:
    """`planned`: how many seeds its study wants; 0 outside a study. A curve shows seeds that still train, too."""
    found = [
        _early(runs, counts),
        _failed(runs, counts),
        _training(counts, is_curve=is_curve),
        _absent(runs, counts),
        _broken(runs, counts),
        _deleted(counts, planned),
        next((run.returns_note for run in runs if run.returns_note), ""),
    ]
    return [sentence for sentence in found if sentence]


def _early(runs: Sequence[SeedRun], counts: SeedCounts) -> str:
    if not counts.ended_early:
        return ""
    longest = max(run.curve.last_step for run in runs)
    first = min(run.curve.last_step for run in _ended_early(runs))
    return (
        f"{_share(counts.ended_early, counts)} ended early (the first at step {first:,.0f} of {longest:,.0f}); "
        f"{'its' if counts.ended_early == 1 else 'their'} last value is used."
    )


def _failed(runs: Sequence[SeedRun], counts: SeedCounts) -> str:
    used = [run for run in runs if run.is_ended and run.status is not RunStatus.succeeded and run.has_values]
    if not used:
        return ""
    return (
        f"{_share(len(used), counts)} failed or {'was' if len(used) == 1 else 'were'} stopped "
        f"({_names(used)}); {'its' if len(used) == 1 else 'their'} last value is used."
    )


def _training(counts: SeedCounts, *, is_curve: bool) -> str:
    if not counts.training:
        return ""
    if is_curve:
        have = "has" if counts.training == 1 else "have"
        return f"{_share(counts.training, counts)} {have} not ended: the curve has them as far as they are."
    if counts.training == counts.total:
        return "No seed has ended: the values are those of now, and there is no verdict yet."
    return (
        f"{_share(counts.training, counts)} {'has' if counts.training == 1 else 'have'} not ended; "
        f"{'it is' if counts.training == 1 else 'they are'} left out until then."
    )


def _absent(runs: Sequence[SeedRun], counts: SeedCounts) -> str:
    if not counts.without_values:
        return ""
    return (
        f"{_share(counts.without_values, counts)} ended without a return ({_names(_without_values(runs))}) and "
        f"{'is' if counts.without_values == 1 else 'are'} left out."
    )


def _broken(runs: Sequence[SeedRun], counts: SeedCounts) -> str:
    if not counts.not_finite:
        return ""
    return (
        f"{_share(counts.not_finite, counts)} had returns that are not finite numbers "
        f"({_names(_not_finite(runs))}): means are over the other episodes."
    )


def _deleted(counts: SeedCounts, planned: int) -> str:
    missing = planned - counts.total
    if missing <= 0:
        return ""
    have = "has" if missing == 1 else "have"
    return f"{missing} of {planned} planned seeds {have} no run: not created yet, or deleted."


def _share(amount: int, counts: SeedCounts) -> str:
    return f"{amount} of {counts.total} {'seed' if counts.total == 1 else 'seeds'}"


def _names(runs: Sequence[SeedRun]) -> str:
    shown = [f"{run.seed}" if run.seed is not None else run.run_id for run in runs[:MOST_NAMED]]
    more = ", …" if len(runs) > MOST_NAMED else ""
    return f"{'seed' if len(runs) == 1 else 'seeds'} {', '.join(shown)}{more}"


def describe_scores(scores: Sequence[tuple[float, str]]) -> list[str]:
    """ "Normalised score 87.3, from 81 to 92.4 over 5 seeds. …": one note for each reference that they have."""
    notes = []
    for reference in dict.fromkeys(named for _, named in scores):
        found = [score for score, named in scores if named == reference]
        spread = f", from {number(min(found))} to {number(max(found))} over {len(found)} seeds"
        mean = f"Normalised score {number(sum(found) / len(found))}{spread if len(found) > 1 else ''}."
        notes.append(f"{mean} {reference.removeprefix('Normalised score: ')}".rstrip())
    return notes
