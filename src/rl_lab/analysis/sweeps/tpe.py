"""TPE: the next point of a sweep, suggested by Optuna from the variants that there are.

Optuna keeps nothing: its study is built from our variants for each question, in memory. The answer depends on the
sweep, its seed and the variants only, so a lab that was killed continues as if nothing had happened.
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Mapping, Sequence
from itertools import chain, product
from typing import TYPE_CHECKING, Any

from rl_lab.analysis.sweeps.axes import ParameterAxis, place_all
from rl_lab.core.studies.studies import Variant, VariantStatus

if TYPE_CHECKING:
    import optuna
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial

MOST_RANDOM = 10
LEAST_RANDOM = 4
TRIES = 20
"""A suggestion that equals an earlier variant is not trained again: with the same seeds it gives the same result."""
Key = tuple[float | None, ...]
LARGEST = 1e150
"""Greater values overflow in Optuna's arithmetic; such a variant counts as failed."""


def suggest(
    axes: Sequence[ParameterAxis], variants: Sequence[Variant], *, seed: int, points: int
) -> dict[str, Any] | None:
    """The settings of the next variant, different from all others; None if every combination was tried.

    The first third of the `points` (4 to 10) are random, because TPE needs some results to learn from.
    """
    known = [place_all(axes, variant.settings) for variant in variants]
    taken = {_key(axes, places) for places in known if places is not None}
    size = _size(axes)
    if size is not None and len(taken) >= size:
        return None
    study = _optuna_study(axes, variants, seed=seed, points=points)
    distributions = {axis.name: axis.distribution() for axis in axes}
    for _ in range(TRIES):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            places = study.ask(distributions).params
        if _key(axes, places) not in taken:
            return {axis.name: axis.value_at(places[axis.name]) for axis in axes}
    return _draw_untried(axes, taken, seed=seed, number=len(variants))


def _optuna_study(
    axes: Sequence[ParameterAxis], variants: Sequence[Variant], *, seed: int, points: int
) -> optuna.Study:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `multivariate` is marked as experimental
        sampler = optuna.samplers.TPESampler(
            # One more than the last time: the same seed would draw the same first points again.
            seed=(seed + len(variants)) % 2**32,
            n_startup_trials=max(LEAST_RANDOM, min(MOST_RANDOM, points // 3)),
            multivariate=len(axes) > 1,
            constant_liar=True,
        )
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.add_trials(to_trials(axes, variants))
    return study


def to_trials(axes: Sequence[ParameterAxis], variants: Sequence[Variant]) -> list[FrozenTrial]:
    """The variants of a sweep as trials of Optuna; those that are not on the axes are left out."""
    distributions = {axis.name: axis.distribution() for axis in axes}
    placed = [(variant, place_all(axes, variant.settings)) for variant in variants]
    return [_trial(variant, places, distributions) for variant, places in placed if places is not None]


def _trial(
    variant: Variant, places: dict[str, float], distributions: dict[str, BaseDistribution]
) -> FrozenTrial:
    from optuna.distributions import FloatDistribution
    from optuna.trial import TrialState, create_trial

    params = {
        name: place if isinstance(distributions[name], FloatDistribution) else int(place)
        for name, place in places.items()
    }
    value = usable(variant.value)
    state, values = TrialState.FAIL, {}
    if variant.status is VariantStatus.finished and value is not None:
        state = TrialState.COMPLETE
    elif variant.status in (VariantStatus.waiting, VariantStatus.running):
        state = TrialState.RUNNING
    elif variant.status is VariantStatus.pruned:
        state, values = TrialState.PRUNED, {} if value is None else {1: value}
    return create_trial(
        state=state,
        value=value if state is TrialState.COMPLETE else None,
        params=params,
        distributions=distributions,
        intermediate_values=values,
    )


def usable(value: float | None) -> float | None:
    """A value that one can calculate with, or None."""
    return value if value is not None and math.isfinite(value) and abs(value) < LARGEST else None


def _size(axes: Sequence[ParameterAxis]) -> int | None:
    sizes = [axis.size() for axis in axes]
    known = [size for size in sizes if size is not None]
    return math.prod(known) if len(known) == len(sizes) else None


def _draw_untried(
    axes: Sequence[ParameterAxis], taken: set[Key], *, seed: int, number: int
) -> dict[str, Any]:
    """A point that was not tried, at random; TPE suggests known ones again and again when few are left."""
    dice = random.Random(f"{seed} {number}")
    drawn = ({axis.name: axis.draw(dice.random()) for axis in axes} for _ in range(TRIES))
    lists = [axis.values() or [axis.draw(dice.random())] for axis in axes]
    listed = (dict(zip((axis.name for axis in axes), point, strict=True)) for point in product(*lists))
    return next(point for point in chain(drawn, listed) if _key_of(axes, point) not in taken)


def _key(axes: Sequence[ParameterAxis], places: Mapping[str, float]) -> Key:
    """Equal for places that lead to the same settings."""
    return _key_of(axes, {axis.name: axis.value_at(places[axis.name]) for axis in axes})


def _key_of(axes: Sequence[ParameterAxis], settings: Mapping[str, Any]) -> Key:
    return tuple(axis.place_of(settings[axis.name]) for axis in axes)
