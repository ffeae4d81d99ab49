"""The part of YAML that tools write configurations in: block mappings and sequences of plain values.

Tags are dropped, nothing is ever built from them. What this does not know stays text.
"""

from __future__ import annotations

import json
import re
from typing import Any

_NUMBER = re.compile(r"[-+]?(\d[\d_]*)?\.?\d*([eE][-+]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_TAG = re.compile(r"[!&][^\s]*\s*")
MAX_LINES = 20_000
MAX_DEPTH = 40


def read_yaml(text: str) -> Any:
    """A mapping, list or value; ordered dicts written as lists of pairs become mappings."""
    lines = []
    for line in text.splitlines()[:MAX_LINES]:
        bare = line.strip()
        if bare and not bare.startswith(("#", "---", "...")):
            lines.append((len(line) - len(line.lstrip(" ")), bare))
    value, _ = _block(lines, 0, 0)
    return _unpaired(value)


def _block(lines: list[tuple[int, str]], at: int, depth: int) -> tuple[Any, int]:
    if at >= len(lines) or depth > MAX_DEPTH:
        return None, len(lines)
    text = lines[at][1]
    text = _TAG.sub("", text, count=1) if text[0] in "!&" else text
    if not text:
        return _block(lines, at + 1, depth + 1)
    if text == "-" or text.startswith("- "):
        return _sequence(lines, at, depth)
    if _key(text) is not None:
        return _mapping(lines, at, depth)
    return _scalar(text), at + 1


def _sequence(lines: list[tuple[int, str]], at: int, depth: int) -> tuple[list[Any], int]:
    indent, items = lines[at][0], []
    while at < len(lines) and lines[at][0] == indent and (lines[at][1] == "-" or lines[at][1][:2] == "- "):
        rest = lines[at][1][1:].lstrip()
        if rest:
            # “- - a” and “- a: 1”: what follows the dash is a block of its own, further in.
            inner = indent + len(lines[at][1]) - len(rest)
            lines[at] = (inner, rest)
            item, at = _block(lines, at, depth + 1)
        elif at + 1 < len(lines) and lines[at + 1][0] > indent:
            item, at = _block(lines, at + 1, depth + 1)
        else:
            item, at = None, at + 1
        items.append(item)
    return items, at


def _mapping(lines: list[tuple[int, str]], at: int, depth: int) -> tuple[dict[str, Any], int]:
    indent = lines[at][0]
    found: dict[str, Any] = {}
    while at < len(lines) and lines[at][0] == indent:
        parts = _key(lines[at][1])
        if parts is None:
            break
        key, rest = parts
        rest = _TAG.sub("", rest, count=1) if rest[:1] in ("!", "&") else rest
        if rest in ("|", ">", "|-", ">-"):
            found[key], at = _text(lines, at + 1, indent)
        elif rest:
            found[key], at = _scalar(rest), at + 1
        elif at + 1 < len(lines) and (
            lines[at + 1][0] > indent or (lines[at + 1][0] == indent and lines[at + 1][1].startswith("-"))
        ):
            found[key], at = _block(lines, at + 1, depth + 1)
        else:
            found[key], at = None, at + 1
    return found, at


def _text(lines: list[tuple[int, str]], at: int, indent: int) -> tuple[str, int]:
    kept = []
    while at < len(lines) and lines[at][0] > indent:
        kept.append(lines[at][1])
        at += 1
    return "\n".join(kept), at


def _key(text: str) -> tuple[str, str] | None:
    if text[0] in "\"'":
        end = text.find(text[0] + ":", 1)
        return (text[1:end], text[end + 2 :].strip()) if end > 0 else None
    key, colon, rest = text.partition(":")
    return (key.strip(), rest.strip()) if colon and (not rest or rest[0] == " ") else None


def _scalar(text: str) -> Any:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    text = text.partition(" #")[0].strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if text[0] in "[{":
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    if _NUMBER.fullmatch(text) and any(c.isdigit() for c in text):
        plain = text.replace("_", "")
        return int(plain) if plain.lstrip("+-").isdigit() else float(plain)
    return text


def _unpaired(value: Any) -> Any:
    """`OrderedDict([("a", 1)])` is written as a list of one list of pairs."""
    if isinstance(value, dict):
        return {key: _unpaired(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    pairs = value[0] if len(value) == 1 and isinstance(value[0], list) else value
    if pairs and all(isinstance(p, list) and len(p) == 2 and isinstance(p[0], str) for p in pairs):
        return {key: _unpaired(item) for key, item in pairs}
    return [_unpaired(item) for item in value]
