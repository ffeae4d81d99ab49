"""The forms of model files that the lab can import."""

from __future__ import annotations

from typing import Literal

ModelForm = Literal["sb3", "turbo", "cleanrl", "onnx", "torchscript"]

FORM_NAMES: dict[ModelForm, str] = {
    "sb3": "Stable-Baselines3 model",
    "turbo": "turbo checkpoint",
    "cleanrl": "CleanRL model",
    "onnx": "ONNX graph",
    "torchscript": "TorchScript program",
}
"""As a person reads it."""

FORM_RUNNERS: dict[ModelForm, str] = {
    "sb3": "sb3",
    "turbo": "turbo",
    "cleanrl": "sb3",
    "onnx": "onnx",
    "torchscript": "torchscript",
}
"""The runner that plays it. The networks of CleanRL are those of Stable-Baselines3 under other names."""

REWRITTEN_FORMS: frozenset[ModelForm] = frozenset({"sb3", "turbo", "cleanrl"})
"""Forms whose tensors become a checkpoint that the lab itself has written; it holds nothing of the file but numbers."""

EXECUTED_FORMS: frozenset[ModelForm] = frozenset({"torchscript"})
"""Forms that are programs: the user approves the file before it is loaded. All others are read as data."""
