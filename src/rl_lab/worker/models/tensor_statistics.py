"""Figures and histograms of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.models.inspections import LayerActivations, LayerGradient, LayerWeights, ValueHistogram
from rl_lab.worker.models.inspected_model import Array, LayerOutput

BINS = 41
"""Odd, so that 0 is in the middle of a bin of symmetric values."""
SAME = 1e-7
"""A unit whose output varies less than this share of its size is constant."""
SATURATED = 0.99


def describe_weights(name: str, tensor: Array) -> LayerWeights:
    values = tensor.astype(np.float64)
    return LayerWeights(
        **describe(name, values),
        shape=list(tensor.shape),
        norm=float(np.linalg.norm(values)),
        zeros=float((tensor == 0).mean()) if tensor.size else 0.0,
    )


def describe_activations(layer: LayerOutput) -> LayerActivations:
    values = layer.values.astype(np.float64)
    spread, size = values.std(axis=0), np.abs(values).max(axis=0)
    saturated = float((np.abs(values) > SATURATED).mean()) if layer.activation == "tanh" else None
    return LayerActivations(
        **describe(layer.name, values),
        units=values.shape[1],
        dead=float((spread <= SAME * np.maximum(size, 1e-12)).mean()),
        saturated=saturated,
        activation=layer.activation,
    )


def describe_gradient(name: str, gradient: Array, weights: Array) -> LayerGradient:
    norm = float(np.linalg.norm(gradient.astype(np.float64)))
    weight_norm = float(np.linalg.norm(weights.astype(np.float64)))
    return LayerGradient(
        name=name,
        shape=list(gradient.shape),
        norm=norm,
        weight_norm=weight_norm,
        ratio=norm / weight_norm if weight_norm else None,
        maximum=float(np.abs(gradient).max()) if gradient.size else 0.0,
    )


def describe(name: str, values: Array) -> dict[str, Any]:
    """The fields of `TensorStatistics`."""
    finite = values[np.isfinite(values)]
    some = finite.size > 0
    return {
        "name": name,
        "count": int(values.size),
        "mean": float(finite.mean()) if some else None,
        "std": float(finite.std()) if some else None,
        "minimum": float(finite.min()) if some else None,
        "maximum": float(finite.max()) if some else None,
        "not_finite": int(values.size - finite.size),
        "histogram": histogram(finite) if some else None,
    }


def histogram(values: Array) -> ValueHistogram:
    low, high = float(values.min()), float(values.max())
    if low == high:
        margin = max(abs(low) * 1e-3, 1e-6)
        low, high = low - margin, high + margin
    counts, _ = np.histogram(values, BINS, (low, high))
    return ValueHistogram(low=low, high=high, counts=counts.tolist())
