import pytest

from rl_lab.analysis.sweeps.axes import axes_of, place_all
from rl_lab.core.studies.sweeps import Choices, Range, Sweep, Values


def axis(values: Values):
    return axes_of(Sweep(parameters={"p": values}))[0]


def test_whole_numbers_stay_whole():
    one = axis(Range(low=8, high=512, scale="log", step=1))
    assert one.value_at(31.4) == 31 and isinstance(one.value_at(31.4), int)
    assert one.size() == 505


def test_values_follow_the_steps_of_a_range_up_to_the_last_one_inside():
    one = axis(Range(low=0.1, high=0.75, step=0.2))
    assert one.values() == [0.1, 0.3, 0.5, 0.7]
    assert one.value_at(0.44) == 0.5
    assert one.value_at(0.75) == 0.7


def test_numbers_of_a_list_are_sorted_and_names_are_not():
    assert axis(Choices(values=[64, 16, 32, 16])).choices == (16, 32, 64)
    names = axis(Choices(values=["tanh", "relu"]))
    assert names.choices == ("tanh", "relu") and not names.is_ordered
    assert not axis(Choices(values=[True, False])).is_ordered


def test_a_list_of_layers_is_one_choice():
    layers = axis(Choices(values=[[64, 64], [128]]))
    assert layers.place_of([128]) == 1
    assert layers.value_at(0) == [64, 64]
    assert layers.place_of([32]) is None


@pytest.mark.parametrize("value", [0.00009, 11, float("nan"), "fast", None, True])
def test_a_value_outside_has_no_place(value):
    assert axis(Range(low=0.0001, high=10)).place_of(value) is None


def test_suggested_numbers_are_short_and_stay_inside_the_range():
    one = axis(Range(low=0.000123456789, high=0.987654321, scale="log"))
    assert one.value_at(0.0123456789) == 0.01235
    for place in (one.low, one.high):
        assert one.place_of(one.value_at(place)) is not None


def test_shares_of_a_logarithmic_axis_follow_the_exponent():
    one = axis(Range(low=0.0001, high=0.01, scale="log"))
    assert one.share_of(0.001) == pytest.approx(0.5)
    assert one.place_at(0.5) == pytest.approx(0.001)


def test_a_variant_without_one_of_the_parameters_is_not_on_the_axes():
    axes = axes_of(Sweep(parameters={"a": Range(low=0, high=1), "b": Choices(values=[1, 2])}))
    assert place_all(axes, {"a": 0.5}) is None
    assert place_all(axes, {"a": 0.5, "b": 2, "c": 3}) == {"a": 0.5, "b": 1}


def test_titles_are_plain_words():
    parameters = {"learning_rate": Range(low=0, high=1), "env.gravity": Range(low=0, high=1)}
    assert [one.title for one in axes_of(Sweep(parameters=parameters))] == [
        "Learning rate",
        "Gravity of the environment",
    ]
