"""Looking at a run that learned from a user's reward: its replays and evaluations show both rewards."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.own_rewards import STATEFUL, reward_input
from support.studio import Studio, train
from support.viewer import view

from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.looking import looking_rights
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.settings import Settings


@pytest.fixture(scope="module")
def rewarded(studio: Studio) -> str:
    return train(studio.server, total_timesteps=4096, reward={"name": "gentle"}, reward_source=STATEFUL)


@pytest.fixture(scope="module")
def longest(studio: Studio, rewarded: str) -> int:
    [row] = studio.episodes(rewarded, sort="-length", limit=1, recorded=True)
    return int(row["episode"])


def own_returns(studio: Studio, run_id: str) -> list[float]:
    answer = studio.server.client.get(f"/api/runs/{run_id}/metrics", params={"names": "own_return"})
    found: list[float] = answer.json()["series"]["own_return"]["value"]
    return found


def test_a_replay_has_both_rewards_and_the_terms_of_every_step(
    studio: Studio, rewarded: str, longest: int
) -> None:
    with view(studio.server, f"/api/runs/{rewarded}/episodes/{longest}/replay") as viewer:
        opened = viewer.next().header
        length = opened["length"]
        assert (opened["exact"], opened["own_name"], opened["own_note"]) == (True, "gentle@v1", "")
        assert opened["rewards"] == [1.0] * length
        terms = opened["own_terms"]
        assert list(terms) == ["given", "haste", "moved"]
        assert terms["haste"] == pytest.approx([-0.01 * n for n in range(1, length + 1)])
        # What training has counted for this episode.
        assert any(
            total == pytest.approx(sum(opened["own_rewards"])) for total in own_returns(studio, rewarded)
        )
        shown = viewer.seek(5).header
    assert shown["own_reward"] == opened["own_rewards"][4] and shown["reward"] == 1.0
    assert shown["own_return"] == pytest.approx(sum(opened["own_rewards"][:5]))
    assert shown["own_terms"] == {name: values[4] for name, values in terms.items()}


def test_a_run_with_the_environments_reward_has_no_second_one(studio: Studio) -> None:
    [row] = studio.episodes(studio.expert, limit=1, recorded=True)
    with view(studio.server, f"/api/runs/{studio.expert}/episodes/{row['episode']}/replay") as viewer:
        opened = viewer.next().header
    assert (opened["own_name"], opened["own_rewards"], opened["own_terms"]) == ("", [], {})


def test_a_replay_without_the_code_of_its_reward_says_so_and_plays(
    studio: Studio, rewarded: str, longest: int
) -> None:
    copy = studio.file(rewarded, "reward.py")
    code = copy.read_text()
    copy.write_text(f"{code}\n# changed")
    try:
        with view(studio.server, f"/api/runs/{rewarded}/episodes/{longest}/replay") as viewer:
            opened = viewer.next().header
            assert viewer.picture().jpeg
    finally:
        copy.write_text(code)
    assert opened["own_rewards"] == [] and "was changed" in opened["own_note"]


def test_an_evaluation_has_the_return_under_both(studio: Studio, rewarded: str) -> None:
    job = studio.job(f"/api/runs/{rewarded}/evaluations", episodes=2, record=False)
    result: dict[str, Any] = job["summary"]["result"]
    assert result["own_reward"] == "gentle@v1" and len(result["own_returns"]) == 2
    assert result["own_return_mean"] == pytest.approx(sum(result["own_returns"]) / 2)
    assert result["own_return_mean"] < result["return_mean"], "every step costs a little"


FAILING = """def reward_function(obs, state):
    state["n"] = state.get("n", 0) + 1
    return 1 / (state["n"] - 3)
"""
CONFINED = {"alone": False, "in a process that is confined itself": True}


@pytest.mark.parametrize("where", CONFINED)
def test_a_reward_that_fails_is_a_note_of_the_table(
    where: str, studio: Studio, rewarded: str, longest: int, tmp_path: Path
) -> None:
    rights: Confinement | None = looking_rights(Settings(home=tmp_path)) if CONFINED[where] else None
    recording = msgspec.to_builtins(studio.recording(rewarded, longest))
    found = {
        name: asyncio.run(
            call_worker(
                "tabulate",
                {"recording": recording, "version_mismatch": None, "reward": reward_input(source)},
                timeout_s=120,
                confine=rights,
            )
        )
        for name, source in {"good": STATEFUL, "bad": FAILING}.items()
    }
    assert found["good"]["steps"][-1]["own_terms"]["given"] == 1.0 and found["good"]["own_note"] == ""
    bad = found["bad"]
    assert "line 3: ZeroDivisionError" in bad["own_note"] and "observation [" in bad["own_note"]
    assert bad["exact"] is True and "own_reward" not in bad["steps"][-1]
