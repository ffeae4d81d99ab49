"""Facts in a run's configuration, under the names tools use for environment, seed, algorithm and length."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rl_lab.analysis.adoption.names import algorithm_of, seed_of
from rl_lab.analysis.adoption.pieces import Facts

ENV_KEYS = ("env_id", "env", "env_name", "environment", "gym_id", "task")
ALGORITHM_KEYS = ("algo", "algorithm", "algo_name", "exp_name")
TOTAL_KEYS = ("total_timesteps", "n_timesteps", "total_steps", "timesteps", "num_timesteps", "max_timesteps")
MAX_KEYS = 2000
MAX_DEPTH = 12
MAX_TEXT = 4000
MAX_TOTAL = 1_000_000_000


def facts_of_config(config: Mapping[str, Any]) -> Facts:
    args = plain(config)
    return Facts(
        algorithm=_algorithm(args),
        env_id=_text(args, ENV_KEYS),
        seed=seed_of(args.get("seed")) if not isinstance(args.get("seed"), bool) else None,
        total_timesteps=_total(args),
        args=args,
    )


def plain(value: Any, depth: int = 0) -> Any:
    """The value as JSON can hold it, limited in size; anything else becomes text."""
    if isinstance(value, Mapping):
        if depth >= MAX_DEPTH:
            return "…"
        return {str(k)[:200]: plain(v, depth + 1) for k, v in list(value.items())[:MAX_KEYS]}
    if isinstance(value, list | tuple):
        return "…" if depth >= MAX_DEPTH else [plain(v, depth + 1) for v in value[:MAX_KEYS]]
    if isinstance(value, bool | None):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return str(value)[:MAX_TEXT].encode("utf-8", "replace").decode()


def _text(args: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = args.get(key)
        if isinstance(value, str) and 0 < len(value) <= 200 and value.lower() != "none":
            return value
    return ""


def _algorithm(args: Mapping[str, Any]) -> str:
    word = _text(args, ALGORITHM_KEYS)
    # An experiment's name counts as an algorithm only when it starts with one (ppo, ppo_continuous_action).
    known = algorithm_of(word) or (word.lower() if algorithm_of(word.partition("_")[0]) else "")
    return known if known else (word.lower() if "algo" in args and word else "")


def _total(args: Mapping[str, Any]) -> int:
    for key in TOTAL_KEYS:
        try:
            total = float(args[key])
        except (KeyError, TypeError, ValueError):
            continue
        if 0 < total <= MAX_TOTAL:
            return int(total)
    return 0
