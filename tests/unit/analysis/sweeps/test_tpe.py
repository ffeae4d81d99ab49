import math
import random

from rl_lab.analysis.sweeps.axes import axes_of
from rl_lab.analysis.sweeps.tpe import suggest
from rl_lab.core.studies.sweeps import Choices, Range, Sweep
from tests.unit.analysis.sweeps.variants import variant

SPACE = Sweep(
    parameters={
        "learning_rate": Range(low=1e-5, high=1e-1, scale="log"),
        "n_epochs": Range(low=1, high=20, step=1),
        "hidden": Choices(values=[[32], [64, 64]]),
    }
)
AXES = axes_of(SPACE)


def objective(settings) -> float:
    """Highest (0) at a learning rate of 0.001 and 6 epochs with the larger network."""
    return (
        -((math.log10(settings["learning_rate"]) + 3) ** 2)
        - ((settings["n_epochs"] - 6) / 8) ** 2
        - (settings["hidden"] == [32])
    )


def optimise(seed: int, points: int = 40):
    tried = []
    for number in range(1, points + 1):
        settings = suggest(AXES, tried, seed=seed, points=points)
        assert settings is not None
        tried.append(variant(number, settings, objective(settings)))
    return tried


def best_random(seed: int, points: int = 40) -> float:
    dice = random.Random(seed)
    return max(objective({axis.name: axis.draw(dice.random()) for axis in AXES}) for _ in range(points))


def test_the_same_history_and_seed_give_the_same_point():
    history = optimise(3, 12)
    again = suggest(AXES, history, seed=3, points=40)
    assert again == suggest(AXES, history, seed=3, points=40)
    assert again != suggest(AXES, history, seed=4, points=40)
    assert [v.settings for v in optimise(3, 12)] == [v.settings for v in history]


def test_points_are_values_of_their_parameters():
    for one in optimise(1, 15):
        assert 1e-5 <= one.settings["learning_rate"] <= 1e-1
        assert isinstance(one.settings["n_epochs"], int) and 1 <= one.settings["n_epochs"] <= 20
        assert one.settings["hidden"] in ([32], [64, 64])


def test_tpe_finds_better_points_than_chance():
    seeds = range(3)
    found = sum(max(v.value for v in optimise(seed)) for seed in seeds) / len(seeds)
    by_chance = sum(best_random(seed) for seed in range(60)) / 60
    assert found > by_chance / 2  # both are negative; 0 is the best


def test_running_variants_push_the_next_point_away():
    history = optimise(1, 20)
    waiting = [variant(21, suggest(AXES, history, seed=1, points=40), None, "running")]
    following = suggest(AXES, [*history, *waiting], seed=1, points=40)
    assert following is not None and following != waiting[0].settings


def test_failed_pruned_and_broken_variants_are_part_of_the_history():
    history = optimise(1, 8)
    odd = [
        variant(9, {"learning_rate": 0.1, "n_epochs": 20, "hidden": [32]}, None, "failed"),
        variant(10, {"learning_rate": 0.1, "n_epochs": 19, "hidden": [32]}, -9.0, "pruned"),
        variant(11, {"learning_rate": 0.1, "n_epochs": 18, "hidden": [32]}, None, "pruned"),
        variant(12, {"learning_rate": 0.1, "n_epochs": 17, "hidden": [32]}, float("nan")),
        variant(13, {"learning_rate": 0.1, "n_epochs": 16, "hidden": [32]}, 1e200),
        variant(14, {"learning_rate": 7.0, "n_epochs": 15, "hidden": [32]}, 5.0),
        variant(15, {"gamma": 0.9}, 5.0),
    ]
    assert suggest(AXES, [*history, *odd], seed=1, points=40) is not None


def test_no_combination_is_tried_twice_and_the_last_one_ends_the_sweep():
    axes = axes_of(Sweep(parameters={"a": Choices(values=[1, 2, 3]), "b": Choices(values=["x", "y"])}))
    tried: list = []
    while (settings := suggest(axes, tried, seed=0, points=50)) is not None:
        assert settings not in [v.settings for v in tried]
        tried.append(variant(len(tried) + 1, settings, float(settings["a"])))
    assert len(tried) == 6
