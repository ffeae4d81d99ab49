"""Attributes of a Neptune run that are no series: name, tags, start, failure, and the parameters. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.pieces import Facts

FACT_TYPES = {
    "int": "int_value",
    "float": "float_value",
    "string": "string_value",
    "bool": "bool_value",
    "datetime": "datetime_value",
    "string_set": "string_set_value",
}
"""Type of an attribute → column of its value."""
NAMES = ("sys/name", "sys/experiment/name")
UNNAMED = "Untitled"
"""The name that Neptune gave to runs without one."""
BEGAN = "sys/creation_time"
FAILED = "sys/failed"
TAGS = ("sys/tags", "sys/group_tags")
FAILURE = "Neptune noted that it failed."
OWN = ("sys/", "monitoring/", "source_code/")
"""What Neptune logs by itself; it is no parameter."""
GROUPS = ("parameters", "params", "hyperparameters", "hyperparams", "hparams", "config", "args")
"""Where people put parameters; the lab leaves this out of their names."""
MAX_TAGS = 20
MAX_TAG = 64


def read_attributes(rows: Iterable[Mapping[str, Any]]) -> Facts:
    found: dict[str, Any] = {}
    for row in rows:
        path, value = row.get("attribute_path"), row.get(FACT_TYPES.get(row.get("attribute_type", ""), ""))
        if isinstance(path, str) and path and value is not None:
            found[path] = value
    facts = _parameters({path: value for path, value in found.items() if not path.startswith(OWN)})
    facts.title = next((name for key in NAMES if (name := _text(found.get(key))) not in ("", UNNAMED)), "")
    began = found.get(BEGAN)
    facts.began = began.timestamp() if isinstance(began, datetime) else None
    facts.failure = FAILURE if found.get(FAILED) is True else ""
    facts.tags = _tags(tag for key in TAGS for tag in _list(found.get(key)))
    return facts


def _parameters(found: Mapping[str, Any]) -> Facts:
    """Names without their group, unless two would be the same; the last part of a name is the second choice."""
    args: dict[str, Any] = {}
    inner: dict[str, Any] = {}
    for path, value in found.items():
        group, _, name = path.partition("/")
        is_grouped = bool(name) and group.lower() in GROUPS
        plain = _text(value) if isinstance(value, datetime) else value
        args[name if is_grouped and name not in args and name not in found else path] = plain
        if is_grouped:
            inner.setdefault(name.rpartition("/")[2], plain)
    facts, others = facts_of_config(args), facts_of_config(inner)
    others.args = {}
    facts.take(others)
    return facts


def _tags(words: Iterable[Any]) -> list[str]:
    texts = (_text(word)[:MAX_TAG] for word in words)
    return list(dict.fromkeys(text for text in texts if text))[:MAX_TAGS]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value or "").strip()[:200]
