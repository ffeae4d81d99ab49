"""Reads tensors with one number or one text, as in summaries of TensorFlow 2."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from rl_lab.analysis.event_files.wire import BYTES, EIGHT, FOUR, VARINT, Field, Malformed, fields, signed

SHAPE, CONTENT, TEXT = 2, 4, 8
FLOATS = {5: ("<f", "<f4"), 6: ("<d", "<f8")}
"""Fields with fixed-width numbers: struct format and numpy type."""
WHOLE = {7: 32, 10: 64}
"""Fields with signed integers: number of bits."""
UNSIGNED = (11, 16, 17)
HALF = 13
IN_CONTENT = {
    1: "<f4",
    2: "<f8",
    3: "<i4",
    4: "|u1",
    5: "<i2",
    6: "|i1",
    9: "<i8",
    10: "|u1",
    17: "<u2",
    19: "<f2",
    22: "<u4",
    23: "<u8",
}
"""TensorFlow's type numbers and the numpy types of their raw bytes."""
HALF_TYPE = 19
UNPACK = {
    "<f4": "<f",
    "<f8": "<d",
    "<i4": "<i",
    "|u1": "<B",
    "<i2": "<h",
    "|i1": "<b",
    "<i8": "<q",
    "<u2": "<H",
    "<f2": "<e",
    "<u4": "<I",
    "<u8": "<Q",
}
"""The struct format of each numpy type."""


@dataclass(frozen=True)
class Tensor:
    value: float | None = None
    """None if it is not exactly one number."""
    place: int | None = None
    """Position of the number's bytes, if their width is fixed."""
    numpy_type: str = ""
    text: str = ""


def read_tensor(data: memoryview, start: int, end: int) -> Tensor:
    """Reads one number, or the first text; anything else gives an empty Tensor."""
    parts = list(fields(data, start, end))
    kind = next((p.value for p in parts if p.number == 1 and p.kind == VARINT), 0)
    text = next((p for p in parts if p.number == TEXT and p.kind == BYTES), None)
    if text is not None:
        return Tensor(text=data[text.start : text.end].tobytes().decode("utf-8", "replace"))
    if any(p.number == SHAPE and _has_dimensions(data, p) for p in parts):
        return Tensor()
    numbers = [p for p in parts if p.number not in (1, 2, 3)]
    return _number(data, numbers[0], kind) if len(numbers) == 1 else Tensor()


def _has_dimensions(data: memoryview, shape: Field) -> bool:
    return shape.kind == BYTES and any(p.number == 2 for p in fields(data, shape.start, shape.end))


def _number(data: memoryview, part: Field, kind: int) -> Tensor:
    if part.number == CONTENT and part.kind == BYTES:
        return _fixed(data, part, IN_CONTENT.get(kind, ""))
    if part.number in FLOATS and part.kind in (BYTES, FOUR, EIGHT):
        return _fixed(data, part, FLOATS[part.number][1])
    if part.number in (*WHOLE, *UNSIGNED, HALF) and part.kind in (BYTES, VARINT):
        return _whole(data, part, kind)
    return Tensor()


def _fixed(data: memoryview, part: Field, numpy_type: str) -> Tensor:
    layout = UNPACK.get(numpy_type)
    if layout is None or struct.calcsize(layout) != part.end - part.start:
        return Tensor()
    return Tensor(float(struct.unpack_from(layout, data, part.start)[0]), part.start, numpy_type)


def _whole(data: memoryview, part: Field, kind: int) -> Tensor:
    """A varint, alone or packed; its width depends on its value, so it has no fixed position."""
    raw = part.value if part.kind == VARINT else _packed(data, part)
    if raw is None:
        return Tensor()
    if part.number == HALF:
        # 16 bits; bfloat16 is the upper half of a float.
        if kind == HALF_TYPE:
            return Tensor(float(struct.unpack("<e", struct.pack("<H", raw & 0xFFFF))[0]))
        return Tensor(float(struct.unpack("<f", struct.pack("<I", (raw & 0xFFFF) << 16))[0]))
    return Tensor(float(signed(raw, WHOLE[part.number]) if part.number in WHOLE else raw))


def _packed(data: memoryview, part: Field) -> int | None:
    """The only number of a packed list."""
    value = 0
    for count in range(part.end - part.start):
        byte = data[part.start + count]
        value |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return value if part.start + count + 1 == part.end else None
        if count == 9:
            break
    raise Malformed("a varint does not end")
