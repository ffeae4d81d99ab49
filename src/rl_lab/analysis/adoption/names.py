"""Facts in the name of a run's folder: algorithm, environment, seed, time."""

from __future__ import annotations

import re
from pathlib import PurePath

from rl_lab.analysis.adoption.pieces import Facts

ALGORITHMS = (
    "ppo",
    "dqn",
    "a2c",
    "sac",
    "td3",
    "ddpg",
    "trpo",
    "tqc",
    "ars",
    "qrdqn",
    "her",
    "c51",
    "rainbow",
    "impala",
    "apex",
    "appo",
    "dreamer",
    "rnd",
    "reinforce",
    "crossq",
    "a3c",
    "ppg",
    "td7",
    "mpo",
    "vpg",
    "bc",
    "cql",
    "iql",
    "recurrentppo",
    "maskableppo",
)
CLEANRL = re.compile(r"(?P<env>.+?)__(?P<exp>.+)__(?P<seed>\d{1,10})__(?P<time>\d{9,11})")
SB3 = re.compile(r"(?P<algo>[A-Za-z0-9]+)_\d+")
ZOO = re.compile(r"(?P<env>.+-v\d+)_\d+")
RAY = re.compile(r"(?P<algo>[A-Za-z0-9]+)_(?P<env>.+?)_[0-9a-f]{5,8}_\d{5}.*")
ENV = re.compile(r"[A-Za-z][\w.]*(?:-[A-Za-z]\w*)*-v\d+")
MAX_SEED = 2**31 - 1


def is_cleanrl(name: str) -> bool:
    return CLEANRL.fullmatch(name) is not None


def facts_of_name(folder: str) -> Facts:
    """From the last parts of a path, which each tool names in its own way."""
    *above, name = PurePath(folder).parts[-3:] or ("",)
    parent = above[-1] if above else ""
    for known in (_cleanrl(name, parent), _ray(name), _zoo(name, parent), _sb3(name, parent)):
        if known is not None:
            return known
    return _words([*above, name])


def _cleanrl(name: str, parent: str) -> Facts | None:
    found = CLEANRL.fullmatch(name)
    if found is None:
        return None
    # An id with a slash, such as ALE/Pong-v5, becomes two folders.
    env = f"{parent}/{found['env']}" if parent in ("ALE", "phys2d", "tabular") else found["env"]
    return Facts(
        algorithm=found["exp"].lower(), env_id=env, seed=seed_of(found["seed"]), began=float(found["time"])
    )


def _ray(name: str) -> Facts | None:
    found = RAY.fullmatch(name)
    if found is None:
        return None
    env = found["env"] if ENV.fullmatch(found["env"]) else ""
    return Facts(algorithm=algorithm_of(found["algo"]), env_id=env)


def _zoo(name: str, parent: str) -> Facts | None:
    found = ZOO.fullmatch(name)
    algorithm = algorithm_of(parent)
    return Facts(algorithm=algorithm, env_id=found["env"]) if found and algorithm else None


def _sb3(name: str, parent: str) -> Facts | None:
    found = SB3.fullmatch(name)
    algorithm = algorithm_of(found["algo"]) if found else ""
    below = _after_algorithm(parent)
    env = below if ENV.fullmatch(below) else ""
    return Facts(algorithm=algorithm, env_id=env) if algorithm else None


def _words(parts: list[str]) -> Facts:
    """Anything that looks like an environment id or an algorithm name, innermost folder first."""
    facts = Facts()
    for part in reversed(parts):
        env = ENV.search(_after_algorithm(part))
        facts.env_id = facts.env_id or (env[0] if env else "")
        for word in re.split(r"[^A-Za-z0-9]+", part):
            facts.algorithm = facts.algorithm or algorithm_of(word)
    return facts


def _after_algorithm(part: str) -> str:
    """ "PPO_Ant-v5" and "ppo-Ant-v5" without the algorithm in front; anything else as it is."""
    found = re.match(r"([A-Za-z0-9]+)[-_](?=.)", part)
    return part[found.end() :] if found and algorithm_of(found[1]) else part


def algorithm_of(word: str) -> str:
    """The algorithm of that name as the lab writes it; empty when there is none."""
    plain = word.lower().replace("-", "").replace("_", "")
    return plain if plain in ALGORITHMS else ""


def seed_of(value: object) -> int | None:
    """A seed the lab can hold; None for anything else."""
    try:
        number = int(str(value))
    except ValueError:
        return None
    return number if 0 <= number <= MAX_SEED else None
