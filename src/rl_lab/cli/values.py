"""Parses `name=value` arguments: the value as JSON if it is valid JSON, otherwise as text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from rl_lab.core.errors import InvalidInput


def parse_pairs(pairs: Sequence[str], option: str) -> dict[str, Any]:
    """`["gamma=0.9", "net_arch=[64,64]"]` as a dict; anything else is an error that names the option."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        name = name.strip()
        if not sign or not name:
            raise InvalidInput.of_field(option, f"“{pair}” does not have the form name=value.")
        if name in found:
            raise InvalidInput.of_field(option, f"{name} is given twice.")
        found[name] = parse_value(value.strip())
    return found


def parse_value(text: str) -> Any:
    words = {
        "true": True,
        "True": True,
        "false": False,
        "False": False,
        "none": None,
        "None": None,
        "null": None,
    }
    if text in words:
        return words[text]
    try:
        return json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return text


def parse_bytes(text: str, option: str) -> int:
    """Parses `20G`, `1.5 TB`, `500M`, `1000`; units are powers of 1000."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kMGT]?)B?\s*", text, re.IGNORECASE)
    if match is None:
        raise InvalidInput.of_field(option, f"“{text}” is not a number of bytes.", "e.g. 500M, 20G, 0")
    power = " kmgt".index(match[2].lower() or " ")
    return int(float(match[1]) * 1000**power)
