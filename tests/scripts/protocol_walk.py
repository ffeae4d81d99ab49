"""A program that speaks the protocol itself: a walk on a line, with checkpoints, a pause and a stop."""

import argparse
import hashlib
import json
import os
import random
import time

from rl_lab.telemetry import commands, emit, episode

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--total-timesteps", type=int, default=1000)
args = parser.parse_args()


def save(role):
    """In our folder, told relative to the run's."""
    with open("walk.json", "w") as file:
        json.dump({"timestep": timestep}, file)
    with open("walk.json", "rb") as file:
        data = file.read()
    digest = hashlib.sha256(data).hexdigest()
    emit("checkpoint", path="files/walk.json", timestep=timestep, role=role, size=len(data), sha256=digest)


def wait_while_paused():
    if commands() and commands()[-1] == "pause":
        emit("status", state="paused", timestep=timestep)
        while commands()[-1] == "pause":
            time.sleep(0.01)
        emit("status", state="resumed", timestep=timestep)


emit("status", state="hello", message=f"pid {os.getpid()}")
emit("config", algo="walk", env_id="fake/Walk-v0", seed=args.seed, args=vars(args))
dice = random.Random(args.seed)
timestep, is_stopped = 0, False
for number in range(args.total_timesteps // 8):
    steps = [dice.choice((-1, 1)) for _ in range(8)]
    timestep += 8
    episode(sum(steps), 8, episode=number, seed=args.seed, timestep=timestep)
    emit("metric", values={"loss": 1 / timestep}, step=timestep)
    emit("status", state="progress", timestep=timestep, total=args.total_timesteps)
    time.sleep(0.002)
    wait_while_paused()
    is_stopped = "stop" in commands()
    if is_stopped:
        break
save("stop" if is_stopped else "final")
emit("finished", outcome="stopped" if is_stopped else "succeeded")
