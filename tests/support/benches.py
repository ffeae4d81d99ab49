"""Rewards tried on recorded episodes, over HTTP."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import psutil

from support.server import Server

MINUS_ONE = "def reward_function(): return -1"
NEGATED = "def reward_function(reward): return -reward"
TERMS = """
def reset():
    return {"steps": 0}

def reward_function(obs, next_obs, reward, state):
    state["steps"] += 1
    return {"alive": reward, "angle": -abs(float(next_obs[2])), "late": float(state["steps"] > 10)}
"""


@dataclass
class Benched:
    """Everything a bench has sent."""

    plan: dict[str, Any] = field(default_factory=dict)
    episodes: list[dict[str, Any]] = field(default_factory=list)
    summaries: list[dict[str, Any]] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)
    done: dict[str, Any] = field(default_factory=dict)

    @property
    def summary(self) -> dict[str, Any]:
        assert self.summaries[-1]["is_final"]
        return self.summaries[-1]


def bench(server: Server, *sources: str, **asked: Any) -> Benched:
    rewards = [{"name": f"r{place}", "source": source} for place, source in enumerate(sources)]
    found = Benched()
    with server.client.stream("POST", "/api/rewards/bench", json={"rewards": rewards, **asked}) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        for line in answer.iter_lines():
            message = json.loads(line)
            match message["type"]:
                case "episodes":
                    found.episodes += message["items"]
                case "summary":
                    found.summaries.append(message)
                case "problem":
                    found.problems.append(message)
                case kind:
                    setattr(found, kind, message)
    return found


def processes(server: Server, module: str) -> list[psutil.Process]:
    """Those of this lab that run a module, at any depth."""
    found = []
    for child in psutil.Process(server.process.pid).children(recursive=True):
        try:
            if module in child.cmdline():
                found.append(child)
        except psutil.Error:
            continue
    return found
