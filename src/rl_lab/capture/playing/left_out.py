"""What a script does to observations outside its networks, which the checkpoint does not hold."""

from __future__ import annotations

import ast

SCALING = ("NormalizeObservation", "VecNormalize")
"""Wrappers that scale by statistics which they collect while they train."""
CHANGING = ("TransformObservation", "RescaleObservation", "FrameStack", "FrameStackObservation")


def find_left_out(source: bytes) -> list[str]:
    """Sentences about wrappers that the script names; they are not applied when a checkpoint is played."""
    named = {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Name, ast.Attribute))
    }
    return [
        *(
            f"The script scales observations with {name}, whose statistics are not in the checkpoint: the policy sees "
            "unscaled observations here, and may act worse than in its training."
            for name in SCALING
            if name in named
        ),
        *(
            f"The script changes observations with {name}, which is not applied here."
            for name in CHANGING
            if name in named
        ),
    ]
