"""Tensors of checkpoints, and the first value that differs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from rl_lab.worker.repeating.checkpoint_tensors import first_difference, read_tensors
from rl_lab.worker.repeating.weight_digests import weights_digest


def test_the_first_value_that_differs_is_named_with_its_place(tmp_path: Path) -> None:
    one, other = tmp_path / "one.safetensors", tmp_path / "other.safetensors"
    weights = np.arange(6, dtype=np.float32).reshape(2, 3)
    save_file({"b": weights, "a": np.zeros(2)}, one, metadata={"date": "today"})
    save_file({"b": weights, "a": np.zeros(2)}, other, metadata={"date": "tomorrow"})
    before, same = read_tensors(one), read_tensors(other)
    assert before is not None
    assert same is not None
    assert first_difference(before, same) is None
    assert weights_digest(one) == weights_digest(other)
    changed = weights.copy()
    changed[1, 2] = 7.5
    save_file({"b": changed, "a": np.zeros(2)}, other)
    now = read_tensors(other)
    assert now is not None
    assert first_difference(before, now) == ("b[1, 2]", 5.0, 7.5)
    assert weights_digest(one) != weights_digest(other)
    save_file({"b": weights}, other)
    assert first_difference(before, read_tensors(other) or {}) == ("a", "present", "missing")
    save_file({"a": np.zeros(3), "b": weights}, other)
    assert first_difference(before, read_tensors(other) or {}) == ("a", "float64 [2]", "float64 [3]")


def test_a_format_without_tensors_is_not_compared(tmp_path: Path) -> None:
    assert read_tensors(tmp_path / "model.json") is None
