"""Names, values and sources in a `metric` event. Pure."""

from __future__ import annotations

import math

from rl_lab.core.protocol.events import EvaluationEvent, MetricEvent
from rl_lab.core.protocol.lines import as_float
from rl_lab.core.protocol.metrics import EVALUATION_RETURN, MetricOrigin

NAME_CHARS = 200


def metric_values(event: MetricEvent) -> dict[str, float]:
    values = {name[:NAME_CHARS]: as_float(value) for name, value in event.values.items()}
    if event.name is not None:
        values[event.name[:NAME_CHARS]] = as_float(event.value)
    return values


def metric_origins(event: MetricEvent) -> dict[str, MetricOrigin]:
    return {name[:NAME_CHARS]: MetricOrigin(source=text[:NAME_CHARS]) for name, text in event.sources.items()}


def evaluation_values(event: EvaluationEvent) -> dict[str, float]:
    """The series an evaluation alongside the training adds a point to; none without a finite mean."""
    ends = (event.return_mean, event.return_low, event.return_high)
    named = dict(zip(EVALUATION_RETURN, ends, strict=True))
    values = {name: finite(as_float(value)) for name, value in named.items() if value is not None}
    found = {name: value for name, value in values.items() if value is not None}
    return found if EVALUATION_RETURN[0] in found else {}


def finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
