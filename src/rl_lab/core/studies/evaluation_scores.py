"""What evaluations have measured of runs, for comparisons. Scores of different protocols are never mixed.

Values of derived metrics are compared with them; they are of the training, so no protocol decides about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rl_lab.core.errors import InvalidInput
from rl_lab.core.run_query import METRIC
from rl_lab.core.studies.comparisons import AT_STEP, MEASURES, ComparedProtocol
from rl_lab.core.words.amounts import plural
from rl_lab.core.workbench.protocols import CitedProtocol

MOST_NAMED = 3


@dataclass(frozen=True)
class EvaluationScore:
    """One evaluation of a training."""

    run_id: str
    """The training."""
    protocol: CitedProtocol
    mean: float
    """The mean return."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Means of the numbers of its evaluation code."""


@dataclass(frozen=True)
class ChosenScores:
    """Of each run the newest evaluation by one protocol."""

    returns: Mapping[str, float] = field(default_factory=dict)
    """Mean returns by run."""
    numbers: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By measure, then by run."""
    derived: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Last values of derived metrics in ended runs, likewise."""
    protocol: CitedProtocol | None = None
    protocols: Sequence[ComparedProtocol] = ()
    """All by which the runs were evaluated, the chosen one first."""
    notes: Sequence[str] = ()

    def numbers_of(self, run_id: str) -> dict[str, float]:
        both = {**self.derived, **self.numbers}
        return {name: values[run_id] for name, values in both.items() if run_id in values}


NO_SCORES = ChosenScores()


def choose_scores(
    scores: Sequence[EvaluationScore], wanted: str | None = None, *, usual: str | None = None
) -> ChosenScores:
    """`scores` from the oldest to the newest; `wanted`: NAME, NAME@v2 or a hash, else what measured most runs.

    `usual`: the protocol of their study, NAME@v2: without another choice it is that one or nothing.
    """
    by_protocol: dict[str, dict[str, EvaluationScore]] = {}
    for one in scores:
        found = by_protocol.pop(one.protocol.sha256, {})
        by_protocol[one.protocol.sha256] = {**found, one.run_id: one}
    newest_first = list(reversed(by_protocol.values()))
    if not newest_first:
        if wanted is not None:
            raise InvalidInput.of_field("protocol", "none of these runs was evaluated")
        return NO_SCORES
    if wanted is None and usual is not None:
        if not any(_protocol(group).short == usual for group in newest_first):
            return ChosenScores(notes=[f"None of these runs was evaluated by the protocol {usual} yet."])
        wanted = usual
    chosen = _named(newest_first, wanted) if wanted is not None else max(newest_first, key=len)
    others = [one for one in newest_first if one is not chosen]
    return ChosenScores(
        returns={run_id: one.mean for run_id, one in chosen.items()},
        numbers=_numbers(chosen.values()),
        protocol=_protocol(chosen),
        protocols=[_compared(one) for one in (chosen, *others)],
        notes=_notes(chosen, others),
    )


def with_derived(chosen: ChosenScores, values: Mapping[str, Mapping[str, float | None]]) -> ChosenScores:
    """`values`: of derived metrics, by run and name."""
    found: dict[str, dict[str, float]] = {}
    for run_id, of_run in values.items():
        for name, value in of_run.items():
            if value is not None:
                found.setdefault(derived_measure(name), {})[run_id] = value
    return replace(chosen, derived=found)


def derived_measure(name: str) -> str:
    """As in the filter of runs; a number of evaluation code may have the same name without it."""
    return f"{METRIC}{name}"


def number_measure(name: str) -> str:
    """The measure for a number: its name, unless a measure of the lab has it."""
    return f"evaluation.{name}" if name in MEASURES or name == AT_STEP else name


def _named(groups: Sequence[Mapping[str, EvaluationScore]], wanted: str) -> Mapping[str, EvaluationScore]:
    def is_meant(one: CitedProtocol) -> bool:
        return wanted in (one.name, one.sha256, one.text, one.short)

    found = next((group for group in groups if is_meant(_protocol(group))), None)
    if found is None:
        known = [_protocol(group).short for group in groups]
        raise InvalidInput.of_field("protocol", f"no run was evaluated by “{wanted}”", known)
    return found


def _numbers(chosen: Iterable[EvaluationScore]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for one in chosen:
        for name, value in one.numbers.items():
            found.setdefault(number_measure(name), {})[one.run_id] = value
    return found


def _protocol(group: Mapping[str, EvaluationScore]) -> CitedProtocol:
    return next(iter(group.values())).protocol


def _compared(group: Mapping[str, EvaluationScore]) -> ComparedProtocol:
    cited = _protocol(group)
    return ComparedProtocol(text=cited.text, name=cited.name, sha256=cited.sha256, runs=len(group))


def _notes(
    chosen: Mapping[str, EvaluationScore], others: Sequence[Mapping[str, EvaluationScore]]
) -> list[str]:
    if not others:
        return []
    named = "; ".join(_protocol(one).text for one in others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    missing = {run_id for group in others for run_id in group} - set(chosen)
    was, has = ("was", "has") if len(missing) == 1 else ("were", "have")
    left = f" {plural(len(missing), 'run')} {was} evaluated only by other protocols, and {has} no value here."
    return [
        f"Evaluations are those by {_protocol(chosen).text}; scores of other protocols are not mixed with them "
        f"({named}{more}).{left if missing else ''}"
    ]
