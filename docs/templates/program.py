"""A program that the lab runs and shows: copy this file, replace the coin by your learner.

Run it:    rl-lab run --protocol -- python program.py --seed 1
Check it:  rl-lab check-worker -- python program.py --seed 1

It needs only the standard library, prints one JSON object per line (docs/protocol.md), and stops when asked to.
"""

import argparse
import json
import random
import select
import sys
import time


def emit(type, **fields):
    """One line of the protocol; `flush`, so that it is shown at once."""
    print(json.dumps({"type": type, "t": time.time(), **fields}), flush=True)


def stop_requested():
    """Whether the lab asked to stop; it sends JSON lines on stdin."""
    is_ready, _, _ = select.select([sys.stdin], [], [], 0)
    return bool(is_ready) and '"stop"' in sys.stdin.readline()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--episodes", type=int, default=50)
    given = arguments.parse_args()
    coin = random.Random(given.seed)

    emit("status", state="hello")
    emit("config", algo="luck", env_id="Coin-v0", seed=given.seed, args=vars(given))
    emit("status", state="progress", timestep=0, total=given.episodes)
    for episode in range(given.episodes):
        reward = float(coin.random() < 0.5 + episode / (2 * given.episodes))  # your learner, here
        emit("episode", steps=1, timestep=episode + 1, **{"return": reward})
        emit("metric", name="loss", value=1 / (episode + 1), step=episode + 1)
        if stop_requested():
            emit("finished", outcome="stopped", message=f"Stopped after {episode + 1} episodes.")
            return
    emit("finished", message=f"{given.episodes} episodes played.")


if __name__ == "__main__":
    main()
