"""Compares numpy and numba for turbo's gradient step: forward and backward of a two-layer actor and critic.

Prints one JSON line: import, cold compilation, warm load from numba's cache, microseconds of one step. All
are CPU time, which other programs influence least.
Usage: python bench/learners_numba.py      (numba must be installed; the lab itself does not need it)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

clock = time.process_time
SIZES = [(4, 16, 2, 256), (4, 64, 2, 128), (8, 64, 4, 512), (24, 64, 4, 512)]
"""inputs, hidden units, actions, batch"""
REPEATS = 200


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure_numba() if sys.argv[1] == "numba" else measure_numpy()))
        return
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"NUMBA_CACHE_DIR": cache, "OPENBLAS_NUM_THREADS": "1"}
        names = ("numpy", "numba-cold", "numba-warm")
        print(json.dumps({name: ask(name.partition("-")[0]) for name in names}))


def ask(kind: str) -> Any:
    done = subprocess.run(
        [sys.executable, __file__, kind], capture_output=True, text=True, check=True, timeout=300
    )
    return json.loads(done.stdout)


def measure_numpy() -> dict[str, Any]:
    from rl_lab.runners.turbo.kernels import Network, Shape, initial_parameters

    result: dict[str, Any] = {"import_s": 0.0, "first_call_s": 0.0}
    for inputs, hidden, actions, batch in SIZES:
        shape = Shape(inputs, hidden, (actions, 1))
        rng = np.random.default_rng(0)
        network = Network(shape, initial_parameters(shape, rng, (0.01, 1.0)))
        x, d, v = random_batch(rng, inputs, actions, batch)

        def step(network: Any = network, x: Any = x, d: Any = d, v: Any = v) -> None:
            network.forward(x)
            network.backward(x, [d, v])

        result[f"{inputs}-{hidden}-{hidden}-{actions}, {batch}"] = best_us(step)
    return result


def measure_numba() -> dict[str, Any]:
    began = clock()
    import numba  # noqa: F401

    imported = clock()
    sys.path.insert(0, str(Path(__file__).parent))
    from learners_numba_kernels import step

    result: dict[str, Any] = {"import_s": round(imported - began, 3)}
    for number, (inputs, hidden, actions, batch) in enumerate(SIZES):
        rng = np.random.default_rng(0)
        x, d, v = random_batch(rng, inputs, actions, batch)
        arrays = []
        for outputs, gradient in ((actions, d), (1, v)):
            w = [
                rng.standard_normal(s).astype(np.float32) * 0.1
                for s in ((inputs, hidden), (hidden, hidden), (hidden, outputs))
            ]
            buffers = [np.zeros((batch, hidden), np.float32) for _ in range(4)]
            arrays.append((x, *w, gradient, *buffers, *[np.zeros_like(m) for m in w]))

        def run(arrays: Any = arrays) -> None:
            for twin in arrays:
                step(*twin)

        if number == 0:
            first = clock()
            run()
            result["first_call_s"] = round(clock() - first, 3)
        result[f"{inputs}-{hidden}-{hidden}-{actions}, {batch}"] = best_us(run)
    return result


def random_batch(rng: Any, inputs: int, actions: int, batch: int) -> tuple[Any, Any, Any]:
    sizes = ((batch, inputs), (batch, actions), (batch, 1))
    return tuple(rng.standard_normal(size).astype(np.float32) for size in sizes)  # type: ignore[return-value]


def best_us(step: Any) -> float:
    """The shortest of ten rounds: what the code can do when nothing else runs."""
    rounds = []
    for _ in range(10):
        began = clock()
        for _ in range(REPEATS):
            step()
        rounds.append((clock() - began) / REPEATS)
    return round(min(rounds) * 1e6, 1)


if __name__ == "__main__":
    main()
