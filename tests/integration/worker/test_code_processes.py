"""The confined process of user code, as its worker sees it."""

from __future__ import annotations

import enum
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.user_code import rights_of, score, step_rows

from rl_lab.core.errors import CodeFailed, NotReady
from rl_lab.worker.user_code import code_process
from rl_lab.worker.user_code.checking import check_reward
from rl_lab.worker.user_code.scorer import RewardScorer
from rl_lab.worker.user_code.step_values import plain_info

IDENTITY = "def reward_function(reward):\n    return reward\n"


def test_code_that_is_too_slow_is_told_the_limit_and_the_number_of_steps(tmp_path: Path) -> None:
    source = "def reward_function():\n    while True:\n        pass\n"
    with pytest.raises(CodeFailed, match=r"more than 0\.2 s of processor time for 3 steps"):
        score(source, rights_of(tmp_path), cpu_s=0.2)


def test_a_message_that_is_too_large_is_not_blamed_on_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(
        RewardScorer("def reward_function(obs):\n    return 1\n", "mine", rights_of(tmp_path))
    ) as scorer:
        monkeypatch.setattr(code_process, "MAX_MESSAGE_BYTES", 1 << 20)
        rows = step_rows(2, obs=np.zeros((2, 1 << 20)))
        with pytest.raises(CodeFailed, match="2 steps take 16 MiB, and at most 1 MiB") as refused:
            scorer.score(rows)
        assert "fewer arguments" in (refused.value.next_step or "")
        assert scorer.score(step_rows()).totals.tolist() == [1.0] * 3, "the process lives on"


def test_a_process_that_cannot_be_confined_is_not_blamed_on_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_confined(*_: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-S", "-c", "raise SystemExit(127)"])

    monkeypatch.setattr(code_process, "_start", not_confined)
    with pytest.raises(NotReady, match="could not be confined") as refused:
        RewardScorer(IDENTITY, "mine", rights_of(tmp_path))
    assert not isinstance(refused.value, CodeFailed)
    assert "rl-lab doctor" in (refused.value.next_step or "")


def test_code_that_was_closed_answers_nothing_and_touches_no_other_file(tmp_path: Path) -> None:
    scorer = RewardScorer(IDENTITY, "mine", rights_of(tmp_path))
    scorer.close()
    with (tmp_path / "other").open("wb+", buffering=0) as other:  # gets the number of the connection
        with pytest.raises(CodeFailed, match="ended before"):
            scorer.score(step_rows())
        assert other.tell() == 0


class Colour(enum.IntEnum):
    red = 3


def test_infos_of_any_type_reach_the_code(tmp_path: Path) -> None:
    odd = {"colour": Colour.red, "when": np.datetime64("2026-01-02"), "things": np.array([None, 1], object)}
    source = "def reward_function(info):\n    return info['colour'] + info['things'][1] + len(info['when'])\n"
    rows = step_rows(info=[plain_info(odd)] * 3)
    assert score(source, rights_of(tmp_path), rows) == [14.0] * 3


@pytest.mark.parametrize("signature", ["obs", "obs, state"])
def test_a_reset_that_is_never_called_is_a_warning(tmp_path: Path, signature: str) -> None:
    source = f"def reset():\n    return {{}}\n\ndef reward_function({signature}):\n    return obs[0]\n"
    check = check_reward(source, rights_of(tmp_path), step_rows(), 1e-3)
    found = [remark.message for remark in check.remarks if remark.level == "warning"]
    missing = "reset() is not called, because reward_function does not take state."
    assert (missing in found) == (signature == "obs")
