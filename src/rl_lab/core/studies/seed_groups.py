"""Runs that differ only in their seed: the repetitions of one experiment."""

from __future__ import annotations

import re
from collections.abc import Sequence

import orjson

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run

SEED_ARGUMENT = re.compile(r"\0--?seed[=\0]\d+")
"""The seed of a script is an argument of its command."""
NO_DIFFERENCE = {"seed", "evaluate_after", "evaluate_by"}
"""What changes nothing about a training: its seed, and how it is evaluated when it has finished."""


def group_seeds(runs: Sequence[Run]) -> list[list[Run]]:
    """The groups of two or more trainings with the same configuration, in the order of their first run."""
    return [members for members in group_configurations(runs) if len(members) > 1]


def group_configurations(runs: Sequence[Run]) -> list[list[Run]]:
    """All trainings, those with the same configuration together, in the order of their first run."""
    groups: dict[bytes, list[Run]] = {}
    for run in runs:
        if isinstance(run.config, TrainConfig):
            groups.setdefault(_key(run.config), []).append(run)
    return list(groups.values())


def _key(config: TrainConfig) -> bytes:
    shape = config.model_dump(mode="json", exclude=NO_DIFFERENCE)
    shape["args"].pop("seed", None)
    words = shape["params"].pop("command", [])
    shape["command"] = SEED_ARGUMENT.sub("", "\0".join(["", *map(str, words)]))
    return orjson.dumps(shape, option=orjson.OPT_SORT_KEYS)
