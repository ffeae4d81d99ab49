"""Loads real training runs, stored as compact JSON by `fixtures/record.py`."""

import json
from itertools import accumulate
from pathlib import Path

from rl_lab.analysis.curves import RunCurves, Series

FIXTURES = Path(__file__).parent / "fixtures"


def load(name: str) -> RunCurves:
    run = json.loads((FIXTURES / f"{name}.json").read_text())
    episodes, updates = run.pop("episodes"), run.pop("updates")
    steps = list(accumulate(episodes["length"]))
    series = {name: Series.of(steps, episodes[name]) for name in ("reward", "length")}
    series |= {metric: Series.of(points["step"], points["value"]) for metric, points in updates.items()}
    return RunCurves(**run, status="succeeded", series=series)
