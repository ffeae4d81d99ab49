"""Importance: how much each parameter of a sweep has to do with a variant being among the best (PED-ANOVA).

PED-ANOVA compares where the best variants are on an axis with where all of them are. It sees the order of the results
only, needs no model, and answers in milliseconds. Shuffled results show how much of an answer may be chance.
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Sequence

from rl_lab.analysis.sweeps.axes import ParameterAxis, place_all
from rl_lab.analysis.sweeps.tpe import to_trials, usable
from rl_lab.analysis.wording import count, percent
from rl_lab.core.studies.studies import Variant, VariantStatus
from rl_lab.core.studies.sweep_views import Importance, ParameterImportance

METHOD = "PED-ANOVA (Optuna)"
LEAST_VARIANTS = 8
LEAST_TOP = 5
"""Best variants that the answer should rest on; a tenth of all, if that is more."""
SHUFFLES = 19
"""A parameter is clear if it scores higher than with each of these: by chance that happens once in 20 times."""


def find_importance(
    axes: Sequence[ParameterAxis], variants: Sequence[Variant], *, measure: str
) -> Importance:
    """The share of each parameter, most important first; without enough variants, why there is none."""
    used = ranked(axes, variants)
    top = _top(len(used))
    refusal = _refuse(axes, used)
    answer = Importance(method=METHOD, variants=len(used), top=top, measure=measure, parameters=[], text="")
    if refusal is not None:
        return answer.model_copy(update={"text": refusal})
    scores = _scores(axes, used, top)
    total = sum(scores.values())
    if total <= 0:
        return answer.model_copy(
            update={"text": "The best variants are spread like all others: no parameter stands out."}
        )
    clear = _clear(axes, used, top, scores)
    ordered = sorted(axes, key=lambda axis: -scores[axis.name])
    parameters = [_parameter(axis, scores[axis.name] / total, axis.name in clear) for axis in ordered]
    return answer.model_copy(update={"parameters": parameters, "text": _summary(parameters, len(used), top)})


def ranked(axes: Sequence[ParameterAxis], variants: Sequence[Variant]) -> list[Variant]:
    """The variants with a result; a pruned one counts like the lowest, because its value is that of an early step."""
    placed = [v for v in variants if place_all(axes, v.settings) is not None and usable(v.value) is not None]
    finished = [v for v in placed if v.status is VariantStatus.finished]
    lowest = min((v.value for v in finished if v.value is not None), default=0.0)
    pruned = [v.model_copy(update={"value": lowest}) for v in placed if v.status is VariantStatus.pruned]
    as_finished = [v.model_copy(update={"status": VariantStatus.finished}) for v in pruned]
    return [*finished, *as_finished] if finished else []


def _refuse(axes: Sequence[ParameterAxis], used: Sequence[Variant]) -> str | None:
    if len(used) < LEAST_VARIANTS:
        return (
            f"Importance needs at least {LEAST_VARIANTS} variants with a result; this study has {len(used)}. "
            "Add points to the sweep."
        )
    if len({variant.value for variant in used}) == 1:
        return f"All {len(used)} variants have the same result, so no parameter can explain a difference."
    if all(len({axis.place_of(v.settings[axis.name]) for v in used}) == 1 for axis in axes):
        return "No parameter has more than one value, so none can explain a difference."
    return None


def _top(variants: int) -> int:
    """How many count as the best: a tenth, at least five, at most half."""
    return max(1, min(max(math.ceil(variants / 10), LEAST_TOP), variants // 2))


def _scores(axes: Sequence[ParameterAxis], used: Sequence[Variant], top: int) -> dict[str, float]:
    import optuna
    from optuna.importance import PedAnovaImportanceEvaluator

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about results that are equal
        study = optuna.create_study(direction="maximize")
        study.add_trials(to_trials(axes, used))
        evaluator = PedAnovaImportanceEvaluator(target_quantile=top / len(used))
        found = evaluator.evaluate(study)
    return {axis.name: found.get(axis.name, 0.0) for axis in axes}


def _clear(
    axes: Sequence[ParameterAxis], used: Sequence[Variant], top: int, scores: dict[str, float]
) -> set[str]:
    """The parameters that score higher than they do with shuffled results."""
    dice = random.Random(len(used))
    above = dict.fromkeys(scores, 0)
    for _ in range(SHUFFLES):
        values = dice.sample([variant.value for variant in used], len(used))
        shuffled = [v.model_copy(update={"value": value}) for v, value in zip(used, values, strict=True)]
        for name, score in _scores(axes, shuffled, top).items():
            above[name] += score >= scores[name]
    return {name for name, times in above.items() if times == 0}


def _parameter(axis: ParameterAxis, share: float, is_clear: bool) -> ParameterImportance:
    text = f"{axis.title} explains {percent(share)} of the difference"
    text += "." if is_clear else ", which may be chance."
    return ParameterImportance(name=axis.name, title=axis.title, share=share, is_clear=is_clear, text=text)


def _summary(parameters: Sequence[ParameterImportance], variants: int, top: int) -> str:
    first = parameters[0]
    if len(parameters) == 1:
        return _describe_only(first, variants, top)
    basis = f"between the best {top} of {count(variants, 'variant')} and the others"
    if not any(parameter.is_clear for parameter in parameters):
        return f"No parameter clearly explains the difference {basis}: shuffled results look the same."
    text = f"{first.title} explains {percent(first.share)} of the difference {basis}"
    return text + ("." if first.is_clear else ", which may be chance.")


def _describe_only(parameter: ParameterImportance, variants: int, top: int) -> str:
    """A single parameter explains everything or nothing; its share says neither."""
    others = f"the best {top} of {count(variants, 'variant')} from the others"
    if parameter.is_clear:
        return f"{parameter.title} is the only parameter of this study, and it separates {others}."
    return (
        f"{parameter.title} is the only parameter of this study, and it does not clearly separate {others}."
    )
