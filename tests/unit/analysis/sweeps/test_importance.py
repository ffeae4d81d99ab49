import random

import pytest

from rl_lab.analysis.sweeps.axes import axes_of
from rl_lab.analysis.sweeps.importance import LEAST_VARIANTS, find_importance
from rl_lab.core.studies.sweeps import Choices, Range, Sweep
from tests.unit.analysis.sweeps.variants import variant

AXES = axes_of(Sweep(parameters={"learning_rate": Range(low=0, high=1), "gamma": Range(low=0, high=1)}))


def variants(count: int, value):
    dice = random.Random(1)
    made = [{"learning_rate": dice.random(), "gamma": dice.random()} for _ in range(count)]
    return [variant(n, settings, value(settings)) for n, settings in enumerate(made, 1)]


def importance(found, axes=AXES):
    return find_importance(axes, found, measure="final")


def test_the_parameter_that_decides_comes_first_and_is_clear():
    answer = importance(variants(40, lambda s: 100 * s["learning_rate"] + s["gamma"]))
    first, second = answer.parameters
    assert first.name == "learning_rate" and first.share > 0.7 and first.is_clear
    assert not second.is_clear
    assert second.text.endswith("which may be chance.")
    assert first.share + second.share == pytest.approx(1)
    assert answer.text == (
        f"Learning rate explains {100 * first.share:.0f} % of the difference between the best 5 of 40 variants "
        "and the others."
    )
    assert (answer.variants, answer.top, answer.method) == (40, 5, "PED-ANOVA (Optuna)")


def test_noise_is_called_noise():
    dice = random.Random(3)
    answer = importance(variants(30, lambda _: dice.random()))
    assert answer.text.startswith("No parameter clearly explains the difference")


def test_the_answer_is_repeatable():
    found = variants(20, lambda s: s["gamma"])
    assert importance(found) == importance(found)


def test_few_variants_give_no_answer_but_the_reason():
    answer = importance(variants(LEAST_VARIANTS - 1, lambda s: s["gamma"]))
    assert answer.parameters == []
    assert answer.text == (
        "Importance needs at least 8 variants with a result; this study has 7. Add points to the sweep."
    )


def test_equal_results_give_no_answer():
    answer = importance(variants(10, lambda _: 500.0))
    assert answer.parameters == [] and "All 10 variants have the same result" in answer.text


def test_variants_without_a_result_are_not_counted():
    found = variants(10, lambda s: s["gamma"])
    found += [variant(11, {"learning_rate": 0.5, "gamma": 0.5}, None, "failed")]
    found += [variant(12, {"learning_rate": 0.5, "gamma": 0.5}, float("nan"))]
    assert importance(found).variants == 10


def test_a_pruned_variant_counts_as_low_as_the_lowest():
    found = variants(20, lambda s: s["learning_rate"])
    low = [variant(v.number, v.settings, 9.0, "pruned") for v in found if v.value < 0.5]
    answer = importance([*low, *(v for v in found if v.value >= 0.5)])
    assert answer.variants == 20 and answer.parameters[0].name == "learning_rate"


def test_grids_of_names_and_numbers_work():
    axes = axes_of(
        Sweep(parameters={"a": Choices(values=["x", "y", "z"]), "b": Choices(values=[1, 2, 4, 8])})
    )
    found = [
        variant(i, {"a": a, "b": b}, 100.0 * (a == "y") + b)
        for i, (a, b) in enumerate(((a, b) for a in "xyz" for b in (1, 2, 4, 8)), 1)
    ]
    assert importance(found, axes).parameters[0].name == "a"


def test_a_single_parameter_is_not_said_to_explain_a_share():
    answer = importance(variants(20, lambda s: s["learning_rate"]), AXES[:1])
    assert answer.text == (
        "Learning rate is the only parameter of this study, and it separates the best 5 of 20 variants from the others."
    )
