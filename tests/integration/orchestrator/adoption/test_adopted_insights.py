"""What the lab concludes about adopted runs: solved ones, infinite ones, long ones, and means over 100 episodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from integration.orchestrator.adoption.test_adoption import adopt, runs
from support.leftovers import BORN, leave_cleanrl
from support.server import Server, command

RNG = np.random.default_rng(11)


def leave_monitor(folder: Path, rewards: Any, length: int = 50, env_id: str = "Made-v0") -> None:
    folder.mkdir(parents=True)
    rows = "".join(f"{reward},{length},{place / 10}\n" for place, reward in enumerate(rewards))
    header = json.dumps({"t_start": BORN, "env_id": env_id})
    (folder / "monitor.csv").write_text(f"#{header}\nr,l,t\n{rows}")


def leave_progress(folder: Path, rewards: Any, length: int = 200, rollout: int = 1000) -> None:
    """SB3's progress.csv: the mean over the last 100 episodes after each rollout."""
    folder.mkdir(parents=True)
    lines = ["time/total_timesteps,time/time_elapsed,rollout/ep_rew_mean,rollout/ep_len_mean"]
    for step in range(rollout, len(rewards) * length + 1, rollout):
        mean = np.mean(rewards[max(0, step // length - 100) : step // length])
        lines.append(f"{step},{step / 1000},{mean},{length}")
    (folder / "progress.csv").write_text("\n".join(lines) + "\n")


def insights(server: Server, folder: Path) -> list[dict[str, Any]]:
    adopt(server, folder)
    [run] = runs(server, folder).values()
    answer = server.client.get(f"/api/runs/{run['id']}/insights")
    assert answer.status_code == 200, answer.text
    for form in ("json", "text", "html"):
        report = server.client.get(f"/api/runs/{run['id']}/report", params={"format": form})
        assert report.status_code == 200, report.text
    found: list[dict[str, Any]] = answer.json()
    return found


@pytest.mark.parametrize(("reward", "env_id"), [(500.0, "CartPole-v1"), (1.0, "Made-v0"), (0.1, "Made-v0")])
def test_a_constant_reward_has_insights_and_a_report(
    shared_server: Server, tmp_path: Path, reward: float, env_id: str
) -> None:
    leave_monitor(tmp_path / "run", [reward] * 300, env_id=env_id)
    assert "catastrophic_drop" not in {one["id"] for one in insights(shared_server, tmp_path)}
    [run] = runs(shared_server, tmp_path).values()
    assert run["name"] in show(shared_server, "show", run["id"])


@pytest.mark.parametrize("bad", ["inf", "-inf", "nan"])
def test_a_reward_that_is_not_finite_is_reported_first(
    shared_server: Server, tmp_path: Path, bad: str
) -> None:
    rewards = [*np.linspace(0, 100, 400), bad]
    leave_monitor(tmp_path / "run", rewards)
    first, *_ = insights(shared_server, tmp_path)
    assert (first["id"], first["evidence"]["metric"], first["evidence"]["first_step"]) == (
        "diverged",
        "reward",
        401 * 50,
    )


def test_logged_means_of_a_stationary_reward_show_no_trend(shared_server: Server, tmp_path: Path) -> None:
    leave_progress(tmp_path / "run", RNG.normal(-1200, 250, 1500))
    [insight] = insights(shared_server, tmp_path)
    assert insight["id"] in ("stuck", "unclear")
    assert "logged means" in insight["text"]
    assert "episodes" not in insight["text"].replace("single episodes", "")


def test_the_start_of_a_long_run_is_remembered(shared_server: Server, tmp_path: Path) -> None:
    mean = np.interp(np.arange(60_000), [0, 20_000], [0.02, 0.78])
    leave_monitor(tmp_path / "run", (RNG.random(60_000) < mean).astype(int), length=8)
    [insight] = insights(shared_server, tmp_path)
    assert insight["id"] == "converged"
    assert insight["evidence"]["start_reward"] < 0.1


def test_three_ended_seeds_of_a_configuration_are_compared(shared_server: Server, tmp_path: Path) -> None:
    for seed in (1, 2):
        leave_cleanrl(tmp_path / "source", episodes=200, seed=seed)
    adopt(shared_server, tmp_path / "source")
    assert "seeds_agree" not in insight_names(shared_server, tmp_path)
    leave_cleanrl(tmp_path / "source", episodes=200, seed=3)
    adopt(shared_server, tmp_path / "source")
    assert "seeds_agree" in insight_names(shared_server, tmp_path)
    ids = [run["id"] for run in runs(shared_server, tmp_path).values()]
    report = shared_server.client.get(f"/api/runs/{ids[0]}/report", params={"format": "text"}).text
    assert "all 3 seeds are between" in report
    [group] = shared_server.client.get("/api/compare", params={"runs": ids}).json()["groups"]
    assert group["agreement"]["id"] == "seeds_agree"
    for form in ("text", "html"):
        compared = shared_server.client.get("/api/compare/report", params={"runs": ids, "format": form}).text
        assert "Do the seeds agree?" in compared
    printed = show(shared_server, "compare", *ids)
    assert "Seeds agree. At step 2,000 all 3 seeds" in printed


def insight_names(server: Server, folder: Path) -> set[str]:
    run_id = next(iter(runs(server, folder).values()))["id"]
    return {one["id"] for one in server.client.get(f"/api/runs/{run_id}/insights").json()}


def show(server: Server, *words: str) -> str:
    done = command(server.home, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout
