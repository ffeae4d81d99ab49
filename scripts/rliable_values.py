"""Writes what rliable 1.2.0 computes for fixed scores and seeds, which a test compares with our own method `rliable`.

rliable is no dependency of the lab. Run this in an environment of its own:

    python -m venv /tmp/rliable && /tmp/rliable/bin/pip install rliable==1.2.0 'pandas<3'
    /tmp/rliable/bin/python scripts/rliable_values.py tests/unit/analysis/statistics/data/rliable.json

rliable ignores `random_state` and draws from numpy's global generator, so that one is seeded before each call.
"""

import json
import sys
from pathlib import Path

import numpy as np
from rliable import library, metrics

REPLICATES = 500
"""Every replicate draws new numbers, so few of them test the stream as well as many."""
AGGREGATES = {
    "mean": metrics.aggregate_mean,
    "median": metrics.aggregate_median,
    "iqm": metrics.aggregate_iqm,
    "optimality_gap": metrics.aggregate_optimality_gap,
}
SHAPES = ((3, 10), (10, 3), (10, 1), (5, 4), (7, 1))
TAUS = np.linspace(0.0, 2.0, 9)


def scores(shape: tuple[int, int], seed: int) -> np.ndarray:
    """Skewed, and rounded so that some are equal."""
    return np.round(np.random.RandomState(seed).gamma(2.0, 0.4, shape), 2)


def main(target: Path) -> None:
    samples = [aggregates(scores(shape, number), number) for number, shape in enumerate(SHAPES)]
    pairs = [
        improvement(scores((5, 4), 11), scores((5, 4), 12), 1),
        improvement(scores((3, 2), 13), scores((6, 2), 14), 2),
        improvement(scores((4, 1), 15), scores((4, 1), 15), 3),
    ]
    found = {"rliable": "1.2.0", "replicates": REPLICATES, "samples": samples, "pairs": pairs}
    target.write_text(json.dumps(found, indent=1) + "\n")


def aggregates(x: np.ndarray, seed: int) -> dict[str, object]:
    found: dict[str, object] = {"seed": seed, "scores": x.tolist()}
    for name, function in AGGREGATES.items():
        np.random.seed(seed)
        point, ends = library.get_interval_estimates(
            {"x": x}, lambda scores, f=function: np.array([f(scores)]), reps=REPLICATES
        )
        found[name] = [float(point["x"][0]), *(float(end) for end in ends["x"][:, 0])]
    np.random.seed(seed)
    shares, ends = library.create_performance_profile({"x": x}, TAUS, reps=REPLICATES)
    found["profile"] = {
        "taus": TAUS.tolist(),
        "share": shares["x"].tolist(),
        "low": ends["x"][0].tolist(),
        "high": ends["x"][1].tolist(),
    }
    return found


def improvement(x: np.ndarray, y: np.ndarray, seed: int) -> dict[str, object]:
    np.random.seed(seed)
    point, ends = library.get_interval_estimates(
        {"xy": (x, y)}, lambda a, b: np.array([metrics.probability_of_improvement(a, b)]), reps=REPLICATES
    )
    values = [float(point["xy"][0]), *(float(end) for end in ends["xy"][:, 0])]
    return {"seed": seed, "x": x.tolist(), "y": y.tolist(), "improvement": values}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
