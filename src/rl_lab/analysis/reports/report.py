"""The report of a run: one model, rendered as JSON, plain text or a single HTML page.

`build_report` collects the data; `report_json`, `report_text` and `report_html` only format it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_jsonable_python

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.reports.html import write_html
from rl_lab.analysis.reports.text import write_text
from rl_lab.analysis.smoothing import envelope
from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.insights import Insight
from rl_lab.core.protocol.metrics import METRICS

CHART_POINTS = 240
MOST_EVENTS = 200


class StripFrame(BaseModel):
    """One picture of a filmstrip."""

    model_config = ConfigDict(frozen=True)

    step: int
    returned: float = Field(description="Sum of the rewards up to this step.")
    jpeg: str = Field(description="The picture, base64.")


class Filmstrip(BaseModel):
    """A recorded episode in a few pictures; without pictures where they were not asked for or cannot be drawn."""

    model_config = ConfigDict(frozen=True)

    title: str
    episode: int
    seed: int | None
    timestep: int | None
    reward: float | None
    length: int
    frames: list[StripFrame] = []


class ReportFile(BaseModel):
    """A file of the run with its checksum."""

    model_config = ConfigDict(frozen=True)

    path: str
    size: int
    sha256: str


class ReportSetup(BaseModel):
    """What a reader needs to trust and to repeat the run."""

    model_config = ConfigDict(frozen=True)

    command: str | None = Field(default=None, description="The command line that starts the same run again.")
    changed: list[str] = Field(default=[], description="Parameters that differ from the run's preset.")
    labels: dict[str, str] = Field(default={}, description="Readable names of the parameters.")
    versions: dict[str, str] = {}
    hardware: dict[str, Any] = {}
    files: list[ReportFile] = []
    strips: list[Filmstrip] = []
    strips_note: str | None = Field(default=None, description="Why there are no pictures.")
    resumes: list[str] = Field(default=[], description="One sentence per resume, with what makes it inexact.")


@dataclass(frozen=True, eq=False)
class ReportInput:
    """The data of a report, as read from the store."""

    run: Mapping[str, Any]
    """id, name, status, reason, config, summary, created_at and all other fields of a run."""
    curves: RunCurves
    insights: Sequence[Insight] = ()
    evaluations: Sequence[Mapping[str, Any]] = ()
    events: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    setup: ReportSetup = field(default_factory=ReportSetup)


class ReportChart(BaseModel):
    """One metric, reduced for a chart: a mean line inside the range of its values."""

    model_config = ConfigDict(frozen=True)

    metric: str
    title: str
    unit: str = Field(default="", description="Unit of the values; empty for plain numbers.")
    points: int = Field(description="Number of points of the metric before reduction.")
    step: list[float]
    low: list[float]
    mean: list[float]
    high: list[float]
    reference: float | None = Field(
        default=None, description="A reference value, such as the reward threshold."
    )


class Report(BaseModel):
    """A run in one document."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    name: str
    status: str
    reason: str | None
    env_id: str
    algorithm: str
    runner: str
    created_at: str | None
    steps: int
    total_timesteps: int
    episodes: int
    duration_s: float | None
    best_reward: float | None = Field(description="Highest reward of a single episode.")
    mean_reward: float | None = Field(description="Mean reward of the last 100 episodes.")
    returns_note: str = Field(
        default="", description="Why the lab cannot check the returns; empty where it can."
    )
    reward_threshold: float | None
    insights: list[Insight]
    config: dict[str, Any]
    summary: dict[str, Any]
    evaluations: list[dict[str, Any]]
    events: list[dict[str, Any]] = Field(description="The newest events, oldest first.")
    events_left_out: int
    charts: list[ReportChart]
    setup: ReportSetup


def build_report(source: ReportInput) -> Report:
    """Collects a run, its curves and its insights in one document."""
    run, curves = _plain(source.run), source.curves
    reward = curves.find("reward")
    return Report(
        run_id=str(run.get("id", "")),
        name=str(run.get("name") or run.get("id", "")),
        status=str(run.get("status") or curves.status),
        reason=_reason(run.get("reason")),
        returns_note=str(run.get("returns_note") or ""),
        env_id=curves.env_id,
        algorithm=curves.algorithm,
        runner=curves.runner,
        created_at=None if run.get("created_at") is None else str(run["created_at"]),
        steps=max(curves.last_step(), _reported_steps(run)),
        total_timesteps=curves.total_timesteps,
        episodes=_episodes(run, curves, reward),
        duration_s=_duration_s(source.run, curves),
        best_reward=float(reward.high.max()) if len(reward) else None,
        mean_reward=_mean_reward(curves, reward),
        reward_threshold=curves.reward_threshold,
        insights=list(source.insights),
        config=run.get("config") or {},
        summary=run.get("summary") or {},
        evaluations=[_plain(evaluation) for evaluation in source.evaluations],
        events=[_plain(event) for event in source.events[-MOST_EVENTS:]],
        events_left_out=max(0, len(source.events) - MOST_EVENTS),
        charts=[_chart(curves, name) for name in _drawn(curves)],
        setup=source.setup,
    )


def _episodes(run: Mapping[str, Any], curves: RunCurves, reward: Series) -> int:
    """The episodes the run logged; of a run that logged only means, those it reported."""
    if curves.point_of("reward").kind == "episode":
        return reward.points
    progress = run.get("progress")
    return int(progress.get("episodes") or 0) if isinstance(progress, Mapping) else 0


def _mean_reward(curves: RunCurves, reward: Series) -> float | None:
    """The mean over the last 100 episodes: computed, or as it was logged."""
    if not len(reward):
        return None
    last = 1 if curves.point_of("reward").kind == "mean" else REWARD_WINDOW
    return float(reward.singles().value[-last:].mean())


def report_json(report: Report) -> str:
    """The report as JSON, for programs."""
    return report.model_dump_json(indent=2)


def report_text(report: Report) -> str:
    """The report as plain text, for a terminal or an e-mail."""
    return write_text(report.model_dump())


def report_html(report: Report) -> str:
    """The report as one self-contained HTML page: no scripts, no external fonts; pictures are inside."""
    return write_html(report.model_dump())


def _drawn(curves: RunCurves) -> list[str]:
    """The metrics to draw: known ones in their usual order, then others; only metrics with two or more points."""
    names = [*(name for name in METRICS if name in curves.series), *sorted(set(curves.series) - set(METRICS))]
    return [name for name in names if len(curves.find(name)) > 1]


def _chart(curves: RunCurves, name: str) -> ReportChart:
    series: Series = curves.find(name)
    step, low, mean, high = envelope(series, CHART_POINTS)
    return ReportChart(
        metric=name,
        title=METRICS[name].title if name in METRICS else name,
        unit=METRICS[name].unit if name in METRICS else "",
        points=len(series),
        step=step.tolist(),
        low=low.tolist(),
        mean=mean.tolist(),
        high=high.tolist(),
        reference=curves.reward_threshold if name == "reward" else None,
    )


def _reason(reason: Any) -> str | None:
    """Why a run ended, in one line, from an EndReason or from plain text."""
    if isinstance(reason, Mapping):
        reason = " ".join(str(reason[part]) for part in ("message", "next_step") if reason.get(part))
    return str(reason) if reason else None


def _reported_steps(run: Mapping[str, Any]) -> int:
    """The steps that the run reported; it may continue after its last episode or update."""
    progress = run.get("progress")
    return int(progress.get("timestep") or 0) if isinstance(progress, Mapping) else 0


def _duration_s(run: Mapping[str, Any], curves: RunCurves) -> float | None:
    """From the run's start and end time, or else from the times of its episodes."""
    began, ended = run.get("started_at"), run.get("ended_at")
    if began and ended:
        return (_moment(ended) - _moment(began)).total_seconds()
    reward = curves.find("reward")
    if len(reward) < 2 or np.array_equal(reward.t, reward.step):
        return None
    return float(reward.t[-1] - reward.t[0])


def _moment(value: datetime | str) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(value)


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """Converts to JSON types; NaN and infinities become null, other types become text."""
    plain: dict[str, Any] = to_jsonable_python(dict(value), fallback=str, inf_nan_mode="null")
    return {str(key): _finite(item) for key, item in plain.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
