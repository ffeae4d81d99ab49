"""How exact the products of wide layers are: chosen when a run is created, and recorded among its parameters.

The server chooses, so this module needs no torch.
"""

from __future__ import annotations

from typing import Literal

from rl_lab.portable.snapshot import cpu_flags

Precision = Literal["auto", "float32", "bfloat16"]
MULTIPLYING_BFLOAT16 = frozenset({"avx512_bf16", "amx_bf16"})
"""Instructions with which bfloat16 was measured to be quicker than float32; those of ARM were not."""


def choose_precision(wanted: Precision) -> Precision:
    """The automatic one is that which suits this processor."""
    if wanted != "auto":
        return wanted
    return "bfloat16" if has_bfloat16() else "float32"


def has_bfloat16() -> bool:
    """Whether the processor is known to multiply bfloat16 itself; one that imitates it is slower than with float32."""
    return not MULTIPLYING_BFLOAT16.isdisjoint(cpu_flags())
