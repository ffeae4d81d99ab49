"""How long `rl-lab verify` takes for a turbo CartPole run, from the command to its exit.

    python -m bench.verify [--times 3]

A server runs, as it does while somebody works; the run was trained until solved. The figure is the best of several
times, because other programs only slow it down. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

from bench.figures import Figure, at_most
from bench.studio import Lab, open_lab

BAR_S = 4.0


def measure(times: int = 3) -> dict[str, Any]:
    with open_lab() as lab:
        run = lab.train(env_id="CartPole-v1", runner="turbo", seed=3, until="solved", total_timesteps=300_000)
        lab.wait(run, "succeeded")
        found = [verify(lab, run) for _ in range(times)]
    return {
        "bench": "verify",
        "seconds": [round(s, 2) for s in found],
        "best": round(min(found), 2),
        "bar": BAR_S,
    }


def verify(lab: Lab, run: str) -> float:
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "rl_lab.cli.main", "verify", run, "--exact"],
        env={**os.environ, "RL_LAB_HOME": str(lab.home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "IDENTICAL" in done.stdout
    return time.monotonic() - started


def figures() -> list[Figure]:
    return [at_most("`rl-lab verify` of a turbo CartPole run, whole command", measure()["best"], BAR_S, " s")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    print(json.dumps(measure(parser.parse_args().times)))


if __name__ == "__main__":
    main()
