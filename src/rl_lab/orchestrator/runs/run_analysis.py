"""A run as the analysis sees it: curves out of the store, insights and reports back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from rl_lab.analysis.curves import Bins, RunCurves, Series
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.environments import Environment
from rl_lab.core.event_log import WORKER_CONFIG
from rl_lab.core.insights import Insight
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.metrics import METRICS
from rl_lab.core.protocol.points import PointMeaning, point_of
from rl_lab.core.reproduction.train_commands import changed_params, train_command
from rl_lab.core.resuming import Resume
from rl_lab.core.run_events import RunEvent
from rl_lab.core.runs import Run
from rl_lab.core.studies.evaluation_scores import ChosenScores
from rl_lab.core.words.run_names import distinct_parts
from rl_lab.core.workbench.derived_metrics import NO_DEFINITIONS, Definitions
from rl_lab.runners.registry import spec_of
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import TelemetryReader

if TYPE_CHECKING:
    from rl_lab.analysis.reports.report import ReportSetup
    from rl_lab.core.studies.comparisons import Comparison
    from rl_lab.store.telemetry.thinned import ThinnedSeries

READ = frozenset({*METRICS, "mean_length"})
"""The series that the analysis reads; the mean length tells how many episodes lie between two logged means."""

MAX_TABLE_ROWS = 2**53
"""A table has every point; this is more than any run has."""

ReportFormat = Literal["json", "text", "html"]
ComparisonFormat = Literal["json", "text", "html", "markdown"]


class Asked(NamedTuple):
    """What a report of a comparison is about; absent parts are computed from the runs."""

    comparison: Comparison | None = None
    title: str = ""
    question: str = ""
    is_grouped: bool = True
    """Draw the seeds of a configuration as one line."""

    @property
    def protocol(self) -> str | None:
        """Hash of the one whose scores the comparison judges by, so that the report shows the same scores."""
        chosen = self.comparison.protocols if self.comparison is not None else []
        return chosen[0].sha256 if chosen else None


class ReportSources(NamedTuple):
    """What a report needs besides the run and its curves."""

    evaluations: list[dict[str, Any]]
    events: list[RunEvent]
    first_events: list[RunEvent]
    """The worker reports its versions and hardware when it starts."""
    artifacts: list[Artifact]
    strips: list[dict[str, Any]]
    strips_note: str | None
    seeds: Insight | None = None
    """What the other seeds of the configuration show."""
    resumes: Sequence[Resume] = ()


def read_curves(home: Path, run: Run, environment: Environment | None) -> RunCurves:
    """The run's series; none when it has not begun to write."""
    config = run.config
    series, points = _read_series(home, run) if isinstance(config, TrainConfig) else ({}, {})
    return RunCurves(
        env_id=config.env_id if isinstance(config, TrainConfig) else "",
        algorithm=config.algorithm if isinstance(config, TrainConfig) else run.kind,
        runner=config.runner if isinstance(config, TrainConfig) else "",
        params=config.params if isinstance(config, TrainConfig) else {},
        total_timesteps=config.total_timesteps if isinstance(config, TrainConfig) else 0,
        reward_threshold=environment.reward_threshold if environment else None,
        status=str(run.status),
        series=series,
        points=points,
    )


def _read_series(home: Path, run: Run) -> tuple[dict[str, Series], dict[str, PointMeaning]]:
    """The run's series, and what one point of each is."""
    path = RunFolder(home, run.id).telemetry
    if not path.exists():
        return {}, {}
    with TelemetryReader(path, run.id) as telemetry:
        names = [name for name in telemetry.series_names() if name in READ]
        found = {name: as_series(thinned) for name, thinned in telemetry.thinned(names).items()}
        lost, has_episodes = telemetry.steps_without_reward(), telemetry.has_episodes()
        is_infinite = bool(run.source) or "rewards_not_finite" in telemetry.counters()
    if lost and (is_infinite or "reward" in found):
        found["reward"] = _with_gaps(found.get("reward"), lost)
    has_means = "mean_reward" in found
    points = {name: point_of(name, has_episodes=has_episodes, has_means=has_means) for name in found}
    return found, points


def as_series(found: ThinnedSeries) -> Series:
    """Steps go back when a run is resumed from an older checkpoint; the analysis needs them ascending."""
    bins = Bins(found.n, found.spread, found.low, found.high) if bool((found.n > 1).any()) else None
    series = Series.of(found.step, found.value, found.time, bins)
    is_ascending = len(series) < 2 or bool((np.diff(series.step) >= 0).all())
    return series if is_ascending else series.take(np.argsort(series.step, kind="stable"))


def _with_gaps(series: Series | None, steps: Sequence[int]) -> Series:
    """The series with a NaN for each reward that was not finite."""
    known = series or Series.of([], [])
    gaps = np.full(len(steps), np.nan)
    times = np.interp(steps, known.step, known.t) if len(known) else np.zeros(len(steps))
    ones = np.ones(len(steps))
    bins = known.bins and Bins(
        np.append(known.bins.n, ones),
        np.append(known.bins.spread, 0 * ones),
        np.append(known.bins.low, gaps),
        np.append(known.bins.high, gaps),
    )
    step, value = np.append(known.step, steps), np.append(known.value, gaps)
    joined = Series.of(step, value, np.append(known.t, times), bins)
    return joined.take(np.argsort(joined.step, kind="stable"))


def write_table(telemetry: TelemetryReader, definitions: Definitions = NO_DEFINITIONS) -> str:
    """All points of all series as CSV: known metrics in their usual order, then others, then derived ones."""
    from rl_lab.analysis.run_table import write_csv
    from rl_lab.orchestrator.runs.derived_series import read_derived

    stored = telemetry.series_names()
    names = [*(name for name in METRICS if name in stored), *sorted(set(stored) - set(METRICS))]
    found = telemetry.tails(names, MAX_TABLE_ROWS) | read_derived(telemetry, None, definitions)
    return write_csv({name: Series.of(one.step, one.value, one.time) for name, one in found.items()})


def find_insights(run: Run, curves: RunCurves, seeds: Insight | None = None) -> list[Insight]:
    """The run's insights, at the end what its other seeds show; those that propose a change have a command line."""
    from rl_lab.analysis.insights.detect import find_insights as detect

    found = [*detect(curves), *([seeds] if seeds else [])]
    return [_with_command(run, insight) for insight in found]


def _with_command(run: Run, insight: Insight) -> Insight:
    """Only a training of the lab's own runners can be started again with other settings."""
    change, spec = insight.change, spec_of(run.config)
    if change is None:
        return insight
    if not isinstance(run.config, TrainConfig) or run.source or spec is None or spec.capabilities.foreign:
        return insight.model_copy(update={"change": None})
    settings = {
        "params": run.config.params | change.params,
        "total_timesteps": change.total_timesteps or run.config.total_timesteps,
    }
    command = train_command(run.config.model_copy(update=settings), spec)
    return insight.model_copy(update={"command": command})


def write_report(
    run: Run,
    curves: RunCurves,
    found: ReportSources,
    form: ReportFormat,
) -> str:
    from rl_lab.analysis.reports.report import (
        ReportInput,
        build_report,
        report_html,
        report_json,
        report_text,
    )

    report = build_report(
        ReportInput(
            run=run.model_dump(mode="json"),
            curves=curves,
            insights=find_insights(run, curves, found.seeds),
            evaluations=found.evaluations,
            events=[event.model_dump(mode="json") for event in found.events],
            setup=_setup(run, found),
        )
    )
    return {"json": report_json, "text": report_text, "html": report_html}[form](report)


class ComparedSources(NamedTuple):
    """What the report of a comparison needs besides the runs; all by run id."""

    curves: dict[str, RunCurves]
    scores: ChosenScores
    first_events: dict[str, list[RunEvent]]


def write_comparison(
    runs: Sequence[Run], found: ComparedSources, form: ComparisonFormat, asked: Asked
) -> str:
    from rl_lab.analysis.comparison import compare_runs
    from rl_lab.analysis.reports.comparison_html import comparison_html
    from rl_lab.analysis.reports.comparison_markdown import comparison_markdown
    from rl_lab.analysis.reports.comparison_report import ComparisonInput, build_comparison
    from rl_lab.analysis.reports.comparison_text import comparison_text

    short = distinct_parts([run.name for run in runs]) if len(runs) > 1 else [run.name for run in runs]
    report = build_comparison(
        ComparisonInput(
            runs=runs,
            curves=found.curves,
            comparison=asked.comparison or compare_runs(runs, found.curves, found.scores),
            evaluations=found.scores.returns,
            setups={run.id: _compared_setup(run, found.first_events[run.id]) for run in runs},
            written_at=datetime.now(UTC),
            title=asked.title,
            question=asked.question,
            is_grouped=asked.is_grouped,
            labels={run.id: label for run, label in zip(runs, short, strict=True)},
        )
    )
    if form == "json":
        return report.model_dump_json(indent=2)
    writers = {"html": comparison_html, "text": comparison_text, "markdown": comparison_markdown}
    return writers[form](report)


def _compared_setup(run: Run, first_events: list[RunEvent]) -> ReportSetup:
    none = ReportSources([], [], first_events, [], [], None)
    return _setup(run, none)


def _setup(run: Run, found: ReportSources) -> ReportSetup:
    """What the report says about repeating the run."""
    from rl_lab.analysis.reports.report import ReportSetup

    reported = next((e.data for e in found.first_events if e.type == WORKER_CONFIG.name and e.data), {})
    files = [one for one in found.artifacts if one.sha256]
    setup = {
        "versions": reported.get("versions") or {},
        "hardware": reported.get("hardware") or {},
        "files": [{"path": one.path, "size": one.size, "sha256": one.sha256} for one in files],
        "strips": found.strips,
        "strips_note": found.strips_note,
        "resumes": [one.message for one in found.resumes],
        **_repeating(run),
    }
    return ReportSetup.model_validate(setup)


def command_of(run: Run) -> str | None:
    """The command line that starts the same training again; None where there is none."""
    spec, config = spec_of(run.config), run.config
    if spec is None or not isinstance(config, TrainConfig) or run.source:
        return None
    return train_command(config, spec)


def _repeating(run: Run) -> dict[str, Any]:
    """The command, the readable names of the parameters, and those that differ from the preset."""
    spec, config = spec_of(run.config), run.config
    if spec is None or not isinstance(config, TrainConfig) or run.source:
        return {}
    algorithm = next((one for one in spec.algorithms if one.id == config.algorithm), None)
    if algorithm is None:
        return {}
    fields = algorithm.params.model_json_schema().get("properties", {})
    return {
        "command": command_of(run),
        "labels": {name: str(field.get("title") or name) for name, field in fields.items()},
        "changed": list(changed_params(config, algorithm)),
    }
