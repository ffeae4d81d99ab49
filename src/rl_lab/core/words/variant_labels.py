"""Labels of variants: what differs from the others, e.g. "learning rate 0.001"; names of studies and their runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import BETWEEN, MAX_NAME, describe_setting

BASE = "base"
"""The label of a variant that changes nothing."""
ENV_PREFIX = "env."


def label_variants(settings: Sequence[Mapping[str, Any]], unit: str = "step") -> list[str]:
    """One label for each variant; equal ones are numbered. `unit`: what its trainings count."""
    labels = [variant_label(one, unit) for one in settings]
    counts = Counter(labels)
    seen: Counter[str] = Counter()
    for place, label in enumerate(labels):
        if counts[label] > 1:
            seen[label] += 1
            labels[place] = f"{label} ({seen[label]})"
    return labels


def variant_label(settings: Mapping[str, Any], unit: str = "step") -> str:
    return BETWEEN.join(_words(name, value, unit) for name, value in settings.items())[:MAX_NAME] or BASE


def study_run_name(algorithm: str, env_id: str, label: str, seed: int | None) -> str:
    """ "PPO on CartPole-v1 · learning rate 0.001 · seed 3" """
    parts = [_what(algorithm, env_id), *([label] if label != BASE else [])]
    seeded = f"{BETWEEN}seed {seed}" if seed is not None else ""
    return BETWEEN.join(parts)[: MAX_NAME - len(seeded)] + seeded


def study_name(algorithm: str, env_id: str, varied: Sequence[str], variants: int, seeds: int) -> str:
    """ "PPO on CartPole-v1 · learning rate · 5 variants × 3 seeds" """
    names = ", ".join(_plain(name) for name in varied)
    counts = f"{seeds:,} seed{'s' if seeds != 1 else ''}"
    if variants != 1:
        counts = f"{variants:,} variants × {counts}"
    return BETWEEN.join(filter(None, [_what(algorithm, env_id), names, counts]))[:MAX_NAME]


def _what(algorithm: str, env_id: str) -> str:
    return f"{algorithm.upper()} on {env_id}" if env_id else algorithm.upper()


def _words(name: str, value: Any, unit: str) -> str:
    if name == "algorithm":
        return str(value).upper()
    if name == "env_id":
        return str(value)
    if name == "total_timesteps" and isinstance(value, int | float):
        return plural(int(value), unit)
    return describe_setting(name.removeprefix(ENV_PREFIX), value)


def _plain(name: str) -> str:
    special = {"env_id": "environment", "total_timesteps": "steps"}
    return special.get(name, name.removeprefix(ENV_PREFIX).replace("_", " "))
