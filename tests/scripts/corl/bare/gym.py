"""Made by hand for the tests: the smallest `gym` that runs the scripts next to it, without the lab."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import gymnasium

FOLDER = Path(os.environ["BARE_DATASET"])
ABOUT = json.loads((FOLDER / "dataset.json").read_text())


class Env:
    pass


class Made(Env):
    def __init__(self, env):
        self.env, self.action_space, self.observation_space = env, env.action_space, env.observation_space
        self.next_seed = None

    def seed(self, seed):
        self.next_seed = seed

    def reset(self):
        seed, self.next_seed = self.next_seed, None
        return self.env.reset(seed=seed)[0]

    def step(self, action):
        state, reward, terminated, truncated, info = self.env.step(action)
        return state, reward, terminated or truncated, info

    def get_normalized_score(self, score):
        reference = ABOUT["reference"]
        return (score - reference["low"]) / (reference["high"] - reference["low"])


class TransformObservation(Made):
    def __init__(self, env, f):
        super().__init__(env.env)
        self.f = f

    def reset(self):
        return self.f(super().reset())

    def step(self, action):
        state, *rest = super().step(action)
        return (self.f(state), *rest)


def make(_name):
    return Made(gymnasium.make(ABOUT["env_id"]))


wrappers = SimpleNamespace(TransformObservation=TransformObservation)
