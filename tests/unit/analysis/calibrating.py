"""Fits and checks the translation of a detector's strength into a confidence."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, pairwise
from unittest.mock import patch

from unit.analysis import real_runs
from unit.analysis.synthetic import MadeRun
from unit.analysis.truth import is_right

from rl_lab.analysis.insights import calibration
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.analysis.insights.seeds import agreement_of

LEAST = 30
"""Sentences that a step of the table rests on."""
BOUNDS = (0.0, 0.9, 0.94, 0.96, 0.98, 1.01)
MOST = 0.99
Pool = tuple[float, int, int]
"""Lowest strength, sentences, right ones."""
Sentence = tuple[str, float, bool]
Groups = Sequence[tuple[bool, list[MadeRun]]]


@dataclass(frozen=True)
class Bin:
    """Sentences of similar confidence."""

    low: float
    high: float
    sentences: int
    confidence: float
    right: float

    @property
    def error(self) -> float:
        """Two standard errors of the share of right sentences, at least one sentence."""
        share = min(max(self.confidence, 0.01), 0.99)
        return max(2 * (share * (1 - share) / self.sentences) ** 0.5, 1 / self.sentences)


def sentences_about(runs: Iterable[MadeRun], groups: Groups, *, held_out: bool) -> Iterator[Sentence]:
    """Every sentence with a confidence, and whether it is right: simulated runs, seeds, prefixes of real runs."""
    for run in runs:
        for insight in find_insights(run.curves):
            right = is_right(insight.id, run) if run.course != "short" else None
            if right is not None and insight.confidence is not None:
                yield insight.id, insight.confidence, right
    for differ, members in groups:
        insight = agreement_of([run.curves for run in members])
        if insight is not None and insight.confidence is not None:
            yield insight.id, insight.confidence, differ == (insight.id == "seeds_disagree")
    yield from real_runs.sentences(held_out=held_out)


@contextmanager
def uncalibrated() -> Iterator[None]:
    """Insights carry the strength of their evidence."""
    with patch.object(calibration, "TABLE", {}):
        yield


def fit(sentences: Iterable[Sentence]) -> dict[str, calibration.Steps]:
    """For each insight, steps of rising confidence: isotonic regression by pooling neighbours."""
    by_name: dict[str, list[tuple[float, bool]]] = {}
    for name, strength, right in sentences:
        by_name.setdefault(name, []).append((strength, right))
    return {name: _steps(found) for name, found in sorted(by_name.items())}


def _steps(found: list[tuple[float, bool]]) -> calibration.Steps:
    pools: list[Pool] = []
    for strength, group in groupby(sorted(found), key=lambda one: round(one[0], 4)):
        rights = [right for _, right in group]
        pools.append((strength, len(rights), sum(rights)))
        while len(pools) > 1 and (pools[-2][1] < LEAST or _share(pools[-2]) >= _share(pools[-1]) - 0.005):
            last, first = pools.pop(), pools.pop()
            pools.append((first[0], first[1] + last[1], first[2] + last[2]))
    if len(pools) > 1 and pools[-1][1] < LEAST:
        last, first = pools.pop(), pools.pop()
        pools.append((first[0], first[1] + last[1], first[2] + last[2]))
    return tuple((pool[0], round(min(MOST, _share(pool)), 3)) for pool in pools)


def _share(pool: Pool) -> float:
    """The share of right sentences; with few of them nothing is certain (Laplace)."""
    return (pool[2] + 1) / (pool[1] + 2)


def check(sentences: Iterable[Sentence]) -> list[Bin]:
    """The sentences in bins of confidence."""
    found = list(sentences)
    bins = []
    for low, high in pairwise(BOUNDS):
        part = [(confidence, right) for _, confidence, right in found if low <= confidence < high]
        if part:
            count = len(part)
            mean = sum(confidence for confidence, _ in part) / count
            bins.append(Bin(low, high, count, mean, sum(right for _, right in part) / count))
    return bins
