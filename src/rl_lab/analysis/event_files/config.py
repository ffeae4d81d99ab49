"""The configuration stored in an event file: TensorBoard's hyperparameters, or a markdown table in a text."""

from __future__ import annotations

import struct
from typing import Any

from rl_lab.analysis.event_files.wire import BYTES, EIGHT, VARINT, Field, fields

SESSION_START, HPARAM_ENTRIES = 3, 1
NO_VALUE = object()
CONSTANTS = {"true": True, "false": False, "none": None, "null": None}


def config_of_hparams(data: memoryview, content: tuple[int, int]) -> dict[str, Any]:
    """The hyperparameters of a session start message; empty for other messages of the plugin."""
    config = {}
    for session in fields(data, *content):
        if session.number != SESSION_START or session.kind != BYTES:
            continue
        for entry in fields(data, session.start, session.end):
            if entry.number == HPARAM_ENTRIES and entry.kind == BYTES:
                parts = {part.number: part for part in fields(data, entry.start, entry.end)}
                value = _value(data, parts[2]) if 2 in parts else NO_VALUE
                if 1 in parts and value is not NO_VALUE:
                    config[_text(data, parts[1])] = value
    return config


def _value(data: memoryview, whole: Field) -> Any:
    """A protobuf `Value`: null, number, text or boolean; lists and structures are skipped."""
    for part in fields(data, whole.start, whole.end):
        if part.number == 1:
            return None
        if part.number == 2 and part.kind == EIGHT:
            number = float(struct.unpack_from("<d", data, part.start)[0])
            return int(number) if number.is_integer() and abs(number) < 2**53 else number
        if part.number == 3 and part.kind == BYTES:
            return _text(data, part)
        if part.number == 4 and part.kind == VARINT:
            return bool(part.value)
    return NO_VALUE


def _text(data: memoryview, part: Field) -> str:
    return data[part.start : part.end].tobytes().decode("utf-8", "replace")


def config_of_table(text: str) -> dict[str, Any]:
    """The rows `|name|value|` of a markdown table, without its header."""
    rows = [line.strip() for line in text.splitlines()]
    cells = [row[1:-1].split("|", 1) for row in rows if row.startswith("|") and row.endswith("|")]
    pairs = [(cell[0].strip(), cell[1].strip()) for cell in cells if len(cell) == 2]
    rule = next((at for at, (name, _) in enumerate(pairs) if name and not name.strip("-: ")), -1)
    return {name: plain(value) for name, value in pairs[rule + 1 :] if name}


def plain(text: str) -> Any:
    """The number, boolean or None that a text represents, or else the text itself."""
    if text.lower() in CONSTANTS:
        return CONSTANTS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def table_of_config(config: dict[str, Any]) -> str:
    """The table for `config_of_table`; bars and line breaks in values are replaced because they would end the cell."""
    rows = [f"|{_cell(name)}|{_cell(value)}|" for name, value in config.items()]
    return "\n".join(["|param|value|", "|-|-|", *rows])


def _cell(value: Any) -> str:
    return " ".join(str(value).replace("|", "¦").split())
