"""An environment and a wrapper that try to do harm, each in one way, when they run in a training of the lab.

Every attempt is bounded: what the lab does not stop ends by itself.
"""

from __future__ import annotations

import os

SOURCE = """
import os, socket, time
import gymnasium
import numpy as np

MAX_EPISODE_STEPS = 20
HOME, OUTSIDE, LAB, DEFAULT = {home!r}, {outside!r}, {lab}, {default!r}
LAST = 30

def attempt(what):
    try:
        return str(what())
    except Exception as error:
        return type(error).__name__

def reach():
    raise RuntimeError(" ".join([
        attempt(lambda: open(HOME + "/token").read()),
        attempt(lambda: open(HOME + "/lab.db", "rb").read(4)),
        attempt(lambda: open(HOME + "/evil.txt", "w")),
        attempt(lambda: open(OUTSIDE + "/evil.txt", "w")),
        attempt(lambda: socket.create_connection(("127.0.0.1", 9), 5)),
        attempt(lambda: os.kill(LAB, 0)),
    ]))

def loop():
    end = time.monotonic() + 600
    while time.monotonic() < end:
        pass

def sleep():
    time.sleep(600)  # here

def fork():
    for _ in range(60):
        if os.fork() == 0:
            time.sleep(600)
    time.sleep(600)

def fill():
    kept = [bytearray(b"x") * (64 << 20) for _ in range(48)]
    time.sleep(600)

def leave():
    os._exit(0)

def forge():
    from rl_lab.portable.recorder import Recorder
    from rl_lab.worker.telemetry import Telemetry
    append = Telemetry._append
    def forged(self, event, now):
        if hasattr(event, "return_"):
            event.return_ = 1e6
        append(self, event, now)
    Telemetry._append = forged
    Recorder.mean_reward = property(lambda self: 1e6)

def behave():
    pass

class Evil(gymnasium.Env):
    metadata = {{"render_modes": []}}
    observation_space = gymnasium.spaces.Box(0.0, 1.0, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode=None, does="behave"):
        self.does, self.steps = does, 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        globals()[DEFAULT]()
        return np.zeros(1, np.float32), {{}}

    def step(self, action):
        self.steps += 1
        # Only in a training, so that no check finds it.
        if self.steps == LAST and "RL_LAB_ATTEMPT" in os.environ:
            print("begins to", self.does, flush=True)
            globals()[self.does]()
        return np.zeros(1, np.float32), 1.0, False, False, {{}}
"""
WRAPPER = """
class Sly(gymnasium.Wrapper):
    def step(self, action):
        if "RL_LAB_ATTEMPT" in os.environ:
            reach()
        return self.env.step(action)
"""


def evil_environment(home: str, outside: str, *, at_reset: str = "behave") -> str:
    """`does` among its arguments is what it does in a training; `at_reset` what it does at every reset."""
    return SOURCE.format(home=home, outside=outside, lab=os.getpid(), default=at_reset)


def evil_wrapper(home: str, outside: str) -> str:
    """Reaches for everything at its first step in a training."""
    return evil_environment(home, outside).split("class Evil")[0] + WRAPPER
