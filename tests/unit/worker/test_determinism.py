"""What --deterministic does in a worker, and what it says it cannot do."""

from __future__ import annotations

import random
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.core.jobs.policy_jobs import EvaluateConfig, VerifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.orchestrator.execution.guardians import deterministic_variables
from rl_lab.worker.determinism import make_deterministic


class Lines:
    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def log(self, level: str, message: str, code: str) -> None:
        self.lines.append((code, message))


class FakeTorch:
    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.backends = SimpleNamespace(cudnn=SimpleNamespace(deterministic=False, benchmark=True))

    def __getattr__(self, name: str) -> Any:
        return lambda *values, **named: self.calls.append((name, *values, named))


def settle(monkeypatch: pytest.MonkeyPatch, torch: Any, *, is_exact: bool = True) -> Lines:
    lines = Lines()
    monkeypatch.setattr(warnings, "showwarning", lambda *given, **named: None)
    monkeypatch.setitem(sys.modules, "torch", torch)
    make_deterministic(lines, seed=3, env_id="Walk-v0", is_exact=is_exact)  # type: ignore[arg-type]
    return lines


def test_generators_and_torch_are_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = FakeTorch()
    lines = settle(monkeypatch, torch)
    assert random.random() == random.Random(3).random()
    assert ("use_deterministic_algorithms", True, {"warn_only": True}) in torch.calls
    assert ("manual_seed", 3, {}) in torch.calls
    assert (torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark) == (True, False)
    [(code, message)] = lines.lines
    assert code == "deterministic"
    assert "torch" in message


def test_what_cannot_be_deterministic_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = settle(monkeypatch, FakeTorch(), is_exact=False)
    assert lines.lines[1][0] == "not_deterministic"
    assert "Walk-v0" in lines.lines[1][1]
    warnings.showwarning("scatter_add does not have a deterministic implementation", UserWarning, "x.py", 1)
    assert "scatter_add" in lines.lines[2][1]


def test_variables_are_set_for_the_run_and_for_its_verification() -> None:
    train = TrainConfig(algorithm="ppo", deterministic=True)
    assert deterministic_variables(train)["PYTHONHASHSEED"] == "0"
    assert deterministic_variables(VerifyConfig(run_id="r", deterministic=True)) == deterministic_variables(
        train
    )
    assert deterministic_variables(TrainConfig(algorithm="ppo")) == {}
    assert deterministic_variables(EvaluateConfig(run_id="r")) == {}, "there it means the best action"
