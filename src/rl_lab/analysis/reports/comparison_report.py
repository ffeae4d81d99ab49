"""The report of a comparison: the curves, statistics, settings, seeds and commands of several runs in one document.

`build_comparison` collects the data; `comparison_html.py` and `comparison_text.py` only format it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.analysis.curves import Floats, RunCurves, Series
from rl_lab.analysis.reports.facts import SETTING_LABELS, cell_exact, readable
from rl_lab.analysis.reports.report import CHART_POINTS, ReportSetup
from rl_lab.analysis.statistics.bands import bands
from rl_lab.analysis.wording import count
from rl_lab.core.intervals import stated_level
from rl_lab.core.protocol.metrics import METRICS
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.studies.comparisons import Comparison

BandKind = Literal["none", "range", "interval"]
"""Lowest to highest seed where there are too few of them for an interval."""


class ComparedLine(BaseModel):
    """One line of a figure: a run, or the mean of several seeds with a band around it."""

    model_config = ConfigDict(frozen=True)

    label: str
    runs: int
    band: BandKind = Field(description="What the band is; a single run has none.")
    level: float | None = Field(
        default=None, description="Of an interval: how often such a one holds the mean."
    )
    step: list[float]
    low: list[float]
    mean: list[float]
    high: list[float]


class ComparedChart(BaseModel):
    """One metric of all compared runs."""

    model_config = ConfigDict(frozen=True)

    metric: str
    title: str
    unit: str = ""
    reference: float | None = Field(default=None, description="The reward threshold, if all runs share it.")
    lines: list[ComparedLine]


class ComparedSetting(BaseModel):
    """One setting, with the value of each configuration in the order of the groups."""

    model_config = ConfigDict(frozen=True)

    name: str
    label: str
    values: list[str]


class ComparedRun(BaseModel):
    """One run of a comparison: its seed, its results and the command that repeats it."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    name: str
    configuration: str
    seed: int | None
    status: str
    final: float | None = Field(description="Mean reward of the last 100 episodes.")
    best: float | None = Field(description="Best mean reward of 100 episodes.")
    evaluation: float | None = Field(description="Mean return of the newest evaluation.")
    command: str | None


class ComparisonReport(BaseModel):
    """Several runs in one document."""

    model_config = ConfigDict(frozen=True)

    title: str
    question: str = Field(default="", description="What the study asks, in the words of its author.")
    written_at: str
    comparison: Comparison
    charts: list[ComparedChart]
    differing: list[ComparedSetting] = Field(description="Settings that differ between the configurations.")
    shared: list[ComparedSetting] = Field(description="Settings that are the same in all of them.")
    runs: list[ComparedRun]
    versions: dict[str, str] = Field(description="Where runs differ, each version with its number of runs.")
    hardware: dict[str, str]


@dataclass(frozen=True, eq=False)
class ComparisonInput:
    """What a report of a comparison is made from; the mappings are by run id."""

    runs: Sequence[Run]
    curves: Mapping[str, RunCurves]
    comparison: Comparison
    evaluations: Mapping[str, float]
    setups: Mapping[str, ReportSetup]
    written_at: datetime
    title: str = ""
    """Of a study, its name."""
    question: str = ""
    is_grouped: bool = True
    """Whether the seeds of a configuration are one line with a band."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Short names of the runs, for lines of single runs."""


def build_comparison(source: ComparisonInput) -> ComparisonReport:
    groups = source.comparison.groups
    differing, shared = _settings(source)
    return ComparisonReport(
        title=source.title
        or f"Comparison of {count(len(source.runs), 'run')} in {count(len(groups), 'configuration')}",
        question=source.question,
        written_at=source.written_at.isoformat(timespec="seconds"),
        comparison=source.comparison,
        charts=[chart for name in METRICS if (chart := _chart(source, name)) is not None],
        differing=differing,
        shared=shared,
        runs=_runs(source),
        versions=_counted([source.setups[run.id].versions for run in source.runs]),
        hardware=_counted([source.setups[run.id].hardware for run in source.runs]),
    )


def _chart(source: ComparisonInput, name: str) -> ComparedChart | None:
    """The metric of all runs that have two or more points of it."""
    lines = [line for label, ids in _members(source) if (line := _line(source, name, label, ids))]
    thresholds = {source.curves[run.id].reward_threshold for run in source.runs}
    is_reward = name in ("reward", "mean_reward") and len(thresholds) == 1
    return (
        ComparedChart(
            metric=name,
            title=METRICS[name].title,
            unit=METRICS[name].unit,
            reference=thresholds.pop() if is_reward else None,
            lines=lines,
        )
        if lines
        else None
    )


def _members(source: ComparisonInput) -> list[tuple[str, list[str]]]:
    """The label and the runs of each line."""
    groups = source.comparison.groups
    if not source.is_grouped:
        return [(source.labels.get(run.id, run.name), [run.id]) for run in source.runs]
    return [(group.label, group.run_ids) for group in groups]


def _line(source: ComparisonInput, name: str, label: str, ids: Sequence[str]) -> ComparedLine | None:
    found = {run_id: series for run_id in ids if len(series := source.curves[run_id].find(name)) > 1}
    if not found:
        return None
    ended = {run.id for run in source.runs if run.status in FINAL}
    running = [series.step[-1] for run_id, series in found.items() if run_id not in ended]
    until = min(running, default=np.inf)
    if until < max(series.step[0] for series in found.values()):
        return None
    step, columns = _on_one_grid(list(found.values()), until=until)
    band, level, low, high = _band(columns)
    return ComparedLine(
        label=_line_label(label, len(found), len(ids)),
        runs=len(found),
        band=band,
        level=level,
        step=step.tolist(),
        low=low.tolist(),
        mean=np.mean(columns, axis=0).tolist(),
        high=high.tolist(),
    )


def _band(columns: Floats) -> tuple[BandKind, float | None, Floats, Floats]:
    """The interval of the mean at each step; of too few seeds, their range."""
    seeds = len(columns)
    level = stated_level(seeds)
    if level is None:
        return "none" if seeds == 1 else "range", None, np.min(columns, axis=0), np.max(columns, axis=0)
    found = bands(columns, "mean")
    return "interval", level, found.low, found.high


def _line_label(label: str, found: int, seeds: int) -> str:
    if seeds == 1:
        return label
    return f"{label}, mean of {found if found == seeds else f'{found} of {seeds}'} seeds"


def _on_one_grid(found: Sequence[Series], *, until: float) -> tuple[Floats, Floats]:
    """The middle steps of equal ranges, and each series' mean in them, from where all series have begun.

    A series that ends before the others keeps its last value, so that the mean is over the same seeds everywhere;
    `until` is where the first run in progress is.
    """
    low, high = min(one.step[0] for one in found), max(one.step[-1] for one in found)
    high = min(high, until)
    blocks = min(CHART_POINTS, max(len(one) for one in found))
    edges = np.linspace(low, high, blocks + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    columns = np.vstack([_means(_upto(one, high), edges, middles) for one in found])
    known = ~np.isnan(columns).any(axis=0)
    return middles[known], columns[:, known]


def _upto(series: Series, step: float) -> Series:
    """The points up to a step; between two of them it is on the straight line."""
    if series.step[-1] <= step:
        return series
    cut = int(np.searchsorted(series.step, step, side="right"))
    at = np.interp(step, series.step, series.value)
    return Series.of(np.append(series.step[:cut], step), np.append(series.value[:cut], at))


def _means(series: Series, edges: Floats, middles: Floats) -> Floats:
    """The mean of the points in each range; gaps are filled by straight lines, and after the end by the last mean."""
    place = np.clip(np.searchsorted(edges, series.step, side="right") - 1, 0, len(middles) - 1)
    sums = np.bincount(place, weights=series.value, minlength=len(middles))
    counts = np.bincount(place, minlength=len(middles))
    known = np.flatnonzero(counts)
    filled: Floats = np.interp(middles, middles[known], sums[known] / counts[known])
    filled[: known[0]] = np.nan
    return filled


def _settings(source: ComparisonInput) -> tuple[list[ComparedSetting], list[ComparedSetting]]:
    """The settings of each configuration, those that differ first; seeds are listed with the runs."""
    by_id = {run.id: run for run in source.runs}
    first = [by_id[group.run_ids[0]] for group in source.comparison.groups]
    flat = [_flat(run) for run in first]
    names: dict[str, str] = {}
    for run in first:
        names |= source.setups[run.id].labels
    rows = [
        ComparedSetting(
            name=name,
            label=SETTING_LABELS.get(name) or names.get(name) or readable(name),
            values=[cell_exact(one.get(name)) for one in flat],
        )
        for name in dict.fromkeys(name for one in flat for name in one)
    ]
    differing = [row for row in rows if len(set(row.values)) > 1]
    return differing, [row for row in rows if row not in differing and row.values[0] not in ("–", "{}")]


def _flat(run: Run) -> dict[str, Any]:
    """Settings and parameters in one level, without the seed."""
    config = run.config.model_dump(mode="json", exclude={"kind", "seed"})
    params, args = config.pop("params", {}), config.pop("args", {})
    return {**config, **params, **args}


def _runs(source: ComparisonInput) -> list[ComparedRun]:
    labels = {run_id: group.label for group in source.comparison.groups for run_id in group.run_ids}
    return [
        ComparedRun(
            run_id=run.id,
            name=run.name,
            configuration=labels[run.id],
            seed=getattr(run.config, "seed", None),
            status=str(run.status),
            final=run.summary.mean_reward,
            best=run.summary.best_mean_reward,
            evaluation=source.evaluations.get(run.id),
            command=source.setups[run.id].command,
        )
        for run in source.runs
    ]


def _counted(found: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """By name the one value of all runs, or each value with the number of runs that have it."""
    known = [one for one in found if one]
    merged = {}
    for name in dict.fromkeys(name for one in known for name in one):
        values = Counter(cell_exact(one.get(name)) for one in known)
        one_for_all = len(values) == 1
        merged[name] = (
            next(iter(values))
            if one_for_all
            else ", ".join(f"{value} ({count(runs, 'run')})" for value, runs in values.items())
        )
    return merged
