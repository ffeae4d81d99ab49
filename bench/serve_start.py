"""How long `rl-lab serve` takes to its first healthy answer, and how much memory it holds when idle.

python -m bench.serve_start [--times 5]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil

BAR_S, BAR_MB = 1.5, 150.0
IDLE_S = 2.0


def measure(home: Path) -> tuple[float, float]:
    """Seconds to the first healthy answer, and MB of memory two seconds later."""
    environment = dict(os.environ, RL_LAB_HOME=str(home), PYTHONUNBUFFERED="1")
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "rl_lab.cli.main", "serve", "--port", "0", "--no-browser"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{url}/api/health", timeout=10) as answer:
            assert answer.status == 200
        seconds = time.perf_counter() - started
        time.sleep(IDLE_S)
        memory = psutil.Process(process.pid).memory_info().rss / 1e6
    finally:
        process.terminate()
        process.communicate(timeout=20)
    return seconds, memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        first, _ = measure(home)
        found = [measure(home) for _ in range(times)]
    seconds = statistics.median(s for s, _ in found)
    memory = max(m for _, m in found)
    print(f"first start in a new home        {first:6.2f} s")
    print(f"start to first healthy answer    {seconds:6.2f} s   bar {BAR_S} s   {verdict(seconds <= BAR_S)}")
    print(
        f"memory when idle                 {memory:6.0f} MB  bar {BAR_MB:.0f} MB  {verdict(memory <= BAR_MB)}"
    )


def verdict(good: bool) -> str:
    return "reached" if good else "MISSED"


if __name__ == "__main__":
    main()
