"""Which precision a training has, and that its event log says so."""

from __future__ import annotations

import pytest

from rl_lab.runners.offline import layers, learner


@pytest.mark.parametrize(("has_it", "expected"), [(True, "bfloat16"), (False, "float32")])
def test_the_automatic_precision_suits_the_processor(
    has_it: bool, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner, "has_bfloat16", lambda: has_it)
    assert learner.read_params("iql", {}).precision == expected
    assert learner.read_params("iql", {"precision": "float32"}).precision == "float32"


@pytest.mark.parametrize(
    ("found", "expected"),
    [({"avx512_bf16": True}, True), ({"amx_bf16": True}, True), ({"avx2": True}, False)],
)
def test_a_processor_has_bfloat16_by_its_instructions(
    found: dict[str, bool], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers.torch.cpu, "get_capabilities", lambda: found)
    assert layers.has_bfloat16() is expected
