"""Names, values and sources in a `metric` event. Pure."""

from __future__ import annotations

import math

from rl_lab.core.protocol.events import MetricEvent
from rl_lab.core.protocol.lines import as_float
from rl_lab.core.protocol.metrics import MetricOrigin

NAME_CHARS = 200


def metric_values(event: MetricEvent) -> dict[str, float]:
    values = {name[:NAME_CHARS]: as_float(value) for name, value in event.values.items()}
    if event.name is not None:
        values[event.name[:NAME_CHARS]] = as_float(event.value)
    return values


def metric_origins(event: MetricEvent) -> dict[str, MetricOrigin]:
    return {name[:NAME_CHARS]: MetricOrigin(source=text[:NAME_CHARS]) for name, text in event.sources.items()}


def finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
