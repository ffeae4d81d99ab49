"""Charts of a sweep: the measure over one parameter (slices) and over two (a surface between the variants)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.sweeps.axes import ParameterAxis
from rl_lab.analysis.sweeps.tpe import usable
from rl_lab.analysis.wording import count
from rl_lab.core.studies.studies import Variant, VariantStatus
from rl_lab.core.studies.sweep_views import AxisView, Slice, Slices, Surface, SweepPoint

GRID = 25
"""Places of a range that the surface is calculated at."""
POWER = 3
"""Weights fall with this power of the distance: near variants decide, and none of them disappears."""
REACH = 0.3
"""Farther than this part of an axis from every variant, nothing is known."""
METHOD = "inverse-distance weighting"

SeedValues = Mapping[int, Sequence[float]]
"""The measure of each seed of a variant, by the number of the variant."""


def find_slices(
    axes: Sequence[ParameterAxis], variants: Sequence[Variant], seeds: SeedValues, *, measure: str
) -> Slices:
    """Per parameter all variants with a result, in the order of the axis."""
    slices = []
    for axis in axes:
        points = _points((axis, None), variants, seeds)
        slices.append(Slice(axis=view_of(axis), points=sorted(points, key=lambda point: point.x)))
    shown = [point for one in slices[:1] for point in one.points]
    return Slices(measure=measure, slices=slices, text=_describe(shown))


def find_surface(
    axes: tuple[ParameterAxis, ParameterAxis], variants: Sequence[Variant], seeds: SeedValues, *, measure: str
) -> Surface:
    """The measure at a grid of places; null where no variant is near."""
    x, y = axes
    points = _points(axes, variants, seeds)
    xs, ys = _places(x), _places(y)
    values = _interpolate(_shares(axes, points), [p.value for p in points], (x, xs), (y, ys))
    unknown = sum(value is None for row in values for value in row)
    text = _describe(points)
    if points and unknown:
        share = unknown / (len(xs) * len(ys))
        text += f" {100 * share:.0f} % of the area is empty: no variant is near."
    return Surface(
        measure=measure,
        method=METHOD,
        x=view_of(x),
        y=view_of(y),
        xs=xs,
        ys=ys,
        values=values,
        points=points,
        text=text,
    )


def view_of(axis: ParameterAxis) -> AxisView:
    return AxisView(
        name=axis.name,
        title=axis.title,
        is_log=axis.is_log,
        low=axis.low,
        high=axis.high,
        choices=None if axis.choices is None else list(axis.choices),
    )


def _points(
    axes: tuple[ParameterAxis, ParameterAxis | None], variants: Sequence[Variant], seeds: SeedValues
) -> list[SweepPoint]:
    found = []
    for variant in variants:
        value = usable(variant.value)
        x, y = (None if axis is None else axis.place_of(variant.settings.get(axis.name)) for axis in axes)
        if value is None or x is None or (axes[1] is not None and y is None):
            continue
        known = [one for one in seeds.get(variant.number, ()) if usable(one) is not None]
        found.append(
            SweepPoint(
                variant=variant.number,
                label=variant.label,
                x=x,
                y=y,
                value=value,
                low=min(known) if len(known) > 1 else None,
                high=max(known) if len(known) > 1 else None,
                seeds=max(1, len(known)),
                is_pruned=variant.status is VariantStatus.pruned,
            )
        )
    return found


def _describe(points: Sequence[SweepPoint]) -> str:
    if not points:
        return "No variant has a result yet."
    text = f"{count(len(points), 'variant')} with a result."
    pruned = sum(point.is_pruned for point in points)
    if pruned:
        text += f" {pruned:,} of them stopped early; their value is that of the moment."
    return text


def _places(axis: ParameterAxis) -> list[float]:
    if axis.choices is not None or axis.high <= axis.low:
        return [axis.low + i for i in range(len(axis.choices or (0,)))]
    return [axis.place_at(share) for share in np.linspace(0, 1, GRID).tolist()]


def _shares(axes: tuple[ParameterAxis, ParameterAxis], points: Sequence[SweepPoint]) -> Floats:
    """The points in a square from 0 to 1, so that distances along both axes compare."""
    x, y = axes
    return np.array([(x.share_of(point.x), y.share_of(point.y or 0.0)) for point in points])


def _interpolate(
    samples: Floats,
    values: Sequence[float],
    x: tuple[ParameterAxis, Sequence[float]],
    y: tuple[ParameterAxis, Sequence[float]],
) -> list[list[float | None]]:
    known = np.array(values)
    return [
        [_weighted(samples, known, (x[0].share_of(column), y[0].share_of(row))) for column in x[1]]
        for row in y[1]
    ]


def _weighted(samples: Floats, values: Floats, place: tuple[float, float]) -> float | None:
    """The mean of the values, weighted by nearness; variants at the very place decide alone."""
    if len(values) == 0:
        return None
    distance = np.hypot(*(samples - place).T)
    if distance.min() > REACH:
        return None
    here = distance < 1e-9
    if here.any():
        return float(values[here].mean())
    weights = distance.astype(np.float64) ** -POWER
    return float(weights @ values / weights.sum())
