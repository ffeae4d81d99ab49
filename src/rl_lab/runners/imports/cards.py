"""What the files next to a model claim about it: environment, algorithm and result.

Read from the card of a repository (README.md), `config.json` and `results.json`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rl_lab.runners.imports.files import GivenFile

ALGORITHMS = ("ppo", "a2c", "dqn", "sac", "td3")
ENV_ID = re.compile(r"[A-Za-z][\w./:-]{0,120}-v\d{1,3}")
RESULT = re.compile(r"^\s*(-?\d+(?:\.\d+)?)\s*(?:(?:\+/-|\+-|±)\s*(\d+(?:\.\d+)?))?\s*$")
MAX_CARD = 1 << 20


@dataclass
class Card:
    env_id: str | None = None
    algorithm: str | None = None
    claim: dict[str, Any] | None = None


def read_cards(files: Sequence[GivenFile]) -> Card:
    """The claims of all files; the card counts most."""
    card = Card()
    for file in sorted(files, key=lambda one: one.depth):
        if file.base == "README.md":
            _add(card, _from_readme(file.text()[:MAX_CARD], file.name))
    for file in sorted(files, key=lambda one: one.depth):
        if file.base == "config.json":
            _add(card, _from_config(_json(file)))
        elif file.base == "results.json":
            _add(card, _from_results(_json(file), file.name))
    return card


def _add(card: Card, more: Card) -> None:
    card.env_id = card.env_id or more.env_id
    card.algorithm = card.algorithm or more.algorithm
    card.claim = {**(more.claim or {}), **(card.claim or {})} or None


def _from_readme(text: str, name: str) -> Card:
    import yaml

    parts = re.split(r"^---\s*$", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) < 3 or parts[0].strip():
        return Card()
    try:
        about = yaml.safe_load(parts[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        return Card()
    try:
        return _from_metadata(about, name)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, RecursionError):
        return Card()


def _from_metadata(about: Any, name: str) -> Card:
    card = Card()
    tags = about.get("tags")
    tags = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    index = about.get("model-index") or [{}]
    entry = index[0] if isinstance(index, list) and isinstance(index[0], dict) else {}
    results = entry.get("results") or [{}]
    first = results[0] if isinstance(results, list) and isinstance(results[0], dict) else {}
    dataset = first.get("dataset") or {}
    named = [dataset.get("name"), dataset.get("type"), *tags] if isinstance(dataset, dict) else tags
    card.env_id = next((one for one in named if isinstance(one, str) and ENV_ID.fullmatch(one)), None)
    words = [_text(entry.get("name")).lower(), *(tag.lower() for tag in tags)]
    card.algorithm = next((word for word in words if word in ALGORITHMS), None)
    card.claim = _claim(first.get("metrics"), name)
    return card


def _claim(metrics: Any, name: str) -> dict[str, Any] | None:
    for metric in metrics if isinstance(metrics, list) else []:
        kind = f"{_text(metric.get('type'))} {_text(metric.get('name'))}".lower()
        found = RESULT.match(_text(metric.get("value")))
        if found is None or not ("reward" in kind or "return" in kind):
            continue
        claim: dict[str, Any] = {"mean": float(found.group(1)), "source": name}
        return {**claim, "std": float(found.group(2))} if found.group(2) else claim
    return None


def _from_config(about: dict[str, Any]) -> Card:
    """Of a run of this lab; the `config.json` of Stable-Baselines3 names no environment."""
    env_id, algorithm = about.get("env_id"), about.get("algorithm")
    card = Card()
    if isinstance(env_id, str) and ENV_ID.fullmatch(env_id):
        card.env_id = env_id
    if isinstance(algorithm, str) and algorithm.lower() in ALGORITHMS:
        card.algorithm = algorithm.lower()
    return card


def _from_results(about: dict[str, Any], name: str) -> Card:
    mean, std = about.get("mean_reward"), about.get("std_reward")
    if not _is_number(mean):
        return Card()
    claim: dict[str, Any] = {"mean": mean, "source": name}
    if _is_number(std):
        claim["std"] = std
    if isinstance(about.get("n_eval_episodes"), int) and 0 < about["n_eval_episodes"] < 10**6:
        claim["episodes"] = about["n_eval_episodes"]
    if isinstance(about.get("is_deterministic"), bool):
        claim["deterministic"] = about["is_deterministic"]
    return Card(claim=claim)


def _text(value: Any) -> str:
    """Numbers and texts only: nested aliases of YAML would grow without bound as a text."""
    return str(value)[:1000] if isinstance(value, str | int | float) else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _json(file: GivenFile) -> dict[str, Any]:
    try:
        found = json.loads(file.text())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
