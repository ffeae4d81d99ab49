"""The worker under its guardian, with the fake runner: commands, checkpoints, and how every end is explained."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.guarded import Guarded, guarded
from support.waiting import DEADLINE_S

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.lines import Broken, parse_line
from rl_lab.runners.registry import load_runner

ENDLESS = {"total_timesteps": 1_000_000_000, "params": {"steps_per_second": 20_000}}
TOY_ENV = {
    "id": "fake/Toy-v0",
    "name": "Toy",
    "family": "fake",
    "action_space_type": "discrete",
    "action_space": "DISCRETE(2)",
    "obs_space_type": "box",
    "obs_space": "BOX(2)",
    "obs_space_dims": [2],
    "reward_threshold": 60.0,
    "package": "rl-lab",
}


@pytest.fixture
def attempt(tmp_path: Path) -> Iterator[Guarded]:
    with guarded(tmp_path / "run") as running:
        yield running


def test_a_training_says_hello_config_progress_and_the_end(attempt: Guarded) -> None:
    attempt.start_job({"total_timesteps": 2000, "seed": 3})
    assert attempt.exit()["exit_code"] == 0
    events = attempt.events()
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert (events[0]["type"], events[0]["state"]) == ("status", "hello")
    assert (events[1]["type"], events[1]["action"]["kind"]) == ("config", "discrete")
    episodes = attempt.events("episode")
    assert [e["episode"] for e in episodes] == list(range(100))
    assert episodes[-1]["timestep"] == 2000
    last = events[-1]
    assert last["type"] == "finished"
    assert last["summary"]["timestep"] == 2000
    assert last["summary"]["episodes"] == 100


def test_checkpoints_are_whole_and_hashed_and_the_last_is_the_model(attempt: Guarded) -> None:
    attempt.start_job({"total_timesteps": 1000, "checkpoint_every": 300})
    attempt.exit()
    checkpoints = attempt.events("checkpoint")
    assert [c["timestep"] for c in checkpoints] == [320, 640, 960, 1000]
    assert checkpoints[-1]["role"] == "final"
    for event in checkpoints:
        data = (attempt.run_dir / event["path"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == event["sha256"]
        assert len(data) == event["size"]
        assert event["score_episodes"] == event["timestep"] // 20
        returns = [e["return"] for e in attempt.events("episode")][: event["score_episodes"]]
        assert event["score"] == pytest.approx(sum(returns) / len(returns))
    assert (attempt.run_dir / "model.json").read_bytes() == (
        attempt.run_dir / checkpoints[-1]["path"]
    ).read_bytes()
    assert not list((attempt.run_dir / "checkpoints").glob(".*"))


def test_a_polite_stop_saves_and_says_stopped(attempt: Guarded) -> None:
    attempt.start_job(ENDLESS)
    attempt.wait_for_event("metric")
    attempt.command("stop")
    record = attempt.exit()
    assert (record["exit_code"], record["stopped"], record["killed_by"]) == (0, True, None)
    last, checkpoint = attempt.events()[-1], attempt.events("checkpoint")[-1]
    assert (last["type"], last["outcome"]) == ("finished", "stopped")
    assert checkpoint["role"] == "stop"
    assert checkpoint["timestep"] == last["summary"]["timestep"]


def test_sigterm_to_the_worker_is_a_polite_stop(attempt: Guarded) -> None:
    attempt.start_job(ENDLESS)
    hello = attempt.wait_for_event("status", state="hello")
    attempt.wait_for_event("metric")
    os.kill(int(hello["message"].split()[1]), signal.SIGTERM)
    assert attempt.exit()["exit_code"] == 0
    assert attempt.events()[-1]["outcome"] == "stopped"


def test_pause_saves_first_and_resume_goes_on_from_the_same_step(attempt: Guarded) -> None:
    attempt.start_job(ENDLESS)
    attempt.wait_for_event("metric")
    attempt.command("pause")
    paused = attempt.wait_for_event("status", state="paused")
    assert attempt.events("checkpoint")[-1]["timestep"] == paused["timestep"]
    before = len(attempt.events("episode"))
    attempt.command("resume")
    resumed = attempt.wait_for_event("status", state="resumed")
    assert resumed["timestep"] == paused["timestep"]
    attempt.wait_for_event("episode", episode=before + 10)
    attempt.command("stop")
    attempt.exit()
    steps = [e["timestep"] for e in attempt.events("episode")]
    assert steps == list(range(20, 20 * len(steps) + 1, 20))


def test_a_paused_worker_can_be_stopped(attempt: Guarded) -> None:
    attempt.start_job(ENDLESS)
    attempt.wait_for_event("metric")
    attempt.command("pause")
    attempt.wait_for_event("status", state="paused")
    attempt.command("stop")
    assert attempt.exit()["killed_by"] is None
    assert attempt.events()[-1]["outcome"] == "stopped"


def test_a_checkpoint_on_demand_is_saved(attempt: Guarded) -> None:
    attempt.start_job(ENDLESS)
    attempt.wait_for_event("metric")
    attempt.command("checkpoint")
    saved = attempt.wait_for_event("checkpoint")
    data = (attempt.run_dir / saved["path"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == saved["sha256"]
    assert json.loads(data)["timestep"] == saved["timestep"] > 0
    attempt.wait_for_event("episode", episode=len(attempt.events("episode")) + 2)  # the training goes on
    attempt.command("stop")
    attempt.exit()


def test_a_resumed_run_continues_exactly_like_an_uninterrupted_one(tmp_path: Path) -> None:
    with guarded(tmp_path / "whole") as whole:
        whole.start_job({"total_timesteps": 1600, "checkpoint_every": 800})
        whole.exit()
        expected = _learned(whole)
    with guarded(tmp_path / "parts") as first:
        first.start_job({"total_timesteps": 800})
        first.exit()
        checkpoint = first.events("checkpoint")[-1]
        learned = _learned(first)
    with guarded(tmp_path / "parts", attempt=2) as second:
        second.start_job(
            {"total_timesteps": 1600}, resume_from=checkpoint["path"], timestep0=800, episode0=len(learned)
        )
        second.exit()
        learned += _learned(second)
    assert learned == expected


def _learned(attempt: Guarded) -> list[tuple[Any, ...]]:
    keys = ("episode", "seed", "return", "timestep", "trace")
    return [tuple(json.dumps(e[k]) for k in keys) for e in attempt.events("episode")]


def test_training_stops_when_solved(attempt: Guarded) -> None:
    attempt.start_job(
        {"total_timesteps": 1_000_000, "until": "solved", "params": {"learning_rate": 0.01}}, env=TOY_ENV
    )
    assert attempt.exit()["exit_code"] == 0
    last = attempt.events()[-1]
    assert (last["cause"], last.get("outcome", "succeeded")) == ("solved", "succeeded")
    assert last["summary"]["mean_reward"] >= 60
    assert last["summary"]["timestep"] < 10_000
    assert attempt.events("checkpoint")[-1]["role"] == "final"


def test_a_training_that_was_not_solved_says_so(attempt: Guarded) -> None:
    attempt.start_job({"total_timesteps": 2000, "until": "solved"}, env={**TOY_ENV, "reward_threshold": 1e6})
    assert attempt.exit()["exit_code"] == 0
    last = attempt.events()[-1]
    assert (last["cause"], last.get("outcome", "succeeded")) == ("not-solved", "succeeded")
    assert last["message"].startswith("Not solved: ")
    assert "more steps" in last["next_step"]


@pytest.mark.parametrize(
    ("params", "cause", "said", "next_step"),
    [
        ({"crash_at": 40}, "crashed", "RuntimeError: The toy crashed because of crash_at.", "log"),
        ({"oom_at": 40}, "out-of-memory", "out of memory", "smaller"),
        ({"nan_at": 40}, "diverged", "loss became nan", "learning rate"),
        ({"missing_at": 40}, "missing-package", "ale_py", "pip install 'rl-lab[atari]'"),
    ],
)
def test_a_failure_is_explained(
    attempt: Guarded, params: dict[str, int], cause: str, said: str, next_step: str
) -> None:
    attempt.start_job({"params": params})
    assert attempt.exit()["exit_code"] == 1
    last = attempt.events()[-1]
    assert (last["type"], last["outcome"], last["cause"]) == ("finished", "failed", cause)
    assert said in last["message"]
    assert next_step in last["next_step"]
    assert "Traceback" in attempt.log()


def test_a_job_that_cannot_be_read_is_explained(attempt: Guarded) -> None:
    attempt.start_job({"total_timesteps": -5})
    assert attempt.exit()["exit_code"] == 1
    last = attempt.events()[-1]
    assert (last["outcome"], last["cause"]) == ("failed", "bad-config")
    assert "total_timesteps" in last["message"]


def test_an_unknown_runner_is_explained(attempt: Guarded) -> None:
    attempt.start_job({"runner": "sb4"})
    attempt.exit()
    last = attempt.events()[-1]
    assert last["cause"] == "bad-config"
    assert "Did you mean sb3?" in last["message"]


@pytest.mark.parametrize(
    ("params", "code", "number"), [({"exit_at": 40}, 3, None), ({"kill_at": 40}, None, 9)]
)
def test_a_worker_that_dies_without_a_word_leaves_an_exit_record(
    attempt: Guarded, params: dict[str, int], code: int | None, number: int | None
) -> None:
    attempt.start_job({"params": params})
    record = attempt.exit()
    assert (record["exit_code"], record["signal"], record["killed_by"]) == (code, number, None)
    assert attempt.events("finished") == []


def test_a_liar_says_success_and_exits_with_three(attempt: Guarded) -> None:
    attempt.start_job({"total_timesteps": 100, "params": {"lie": True}})
    assert attempt.exit()["exit_code"] == 3
    assert attempt.events()[-1]["type"] == "finished"


def test_a_hanging_worker_with_deaf_children_is_ended_by_the_ladder(attempt: Guarded) -> None:
    attempt.start_job(
        {"params": {"hang_at": 20, "ignore_stop": True, "fork_children": 2}},
        launch={"stop_grace_s": 0.2, "kill_grace_s": 0.2},
    )
    attempt.wait_for_event("config")
    attempt.command("stop")
    record = attempt.exit()
    assert (record["signal"], record["killed_by"]) == (signal.SIGKILL, "ladder")


def test_garbage_and_long_lines_do_not_touch_the_good_ones(attempt: Guarded) -> None:
    attempt.start_job({"total_timesteps": 2000, "params": {"garbage": 2.5, "big_line_at": 400}})
    record = attempt.exit()
    assert (record["exit_code"], record["dropped_lines"]) == (0, 1)
    parsed = [parse_line(line) for line in attempt.journal().splitlines()]
    assert sum(isinstance(p, Broken) for p in parsed) > 100
    assert len(attempt.events("episode")) == 100
    assert attempt.events("log")[0]["code"] == "line-too-long"


def test_a_flood_is_counted_exactly(attempt: Guarded) -> None:
    params = {"flood_events_per_s": 50_000, "flood_seconds": 0.4, "flood_kind": "metric"}
    attempt.start_job({"total_timesteps": 20, "params": params})
    attempt.exit()
    assert len(attempt.events("metric")) == 20_000 + 1
    assert [e["seq"] for e in attempt.events()] == list(range(len(attempt.events())))


def test_what_libraries_print_goes_to_the_log(attempt: Guarded) -> None:
    code = (
        "import os\nfrom rl_lab.worker.stdio import claim_stdio\nprotocol, _ = claim_stdio()\n"
        "print('chatter', flush=True); os.system('echo from a child'); os.write(protocol, b'event\\n')"
    )
    attempt.start_python(code)
    attempt.exit()
    assert attempt.journal() == b"event\n"
    assert attempt.log() == "chatter\nfrom a child\n"


def test_a_saved_policy_plays(attempt: Guarded) -> None:
    attempt.start_job({"total_timesteps": 1000})
    attempt.exit()
    config = TrainConfig(runner="fake", algorithm="toy", env_id="fake/Toy-v0")
    policy = load_runner("fake").load_policy(attempt.run_dir / "model.json", config)
    decision = policy.act([0.0, 0.0], True)
    assert decision.action == 1
    assert decision.value == pytest.approx(63.2, abs=0.1)
    assert decision.probabilities is not None
    assert sum(decision.probabilities) == pytest.approx(1)


def test_naming_runners_loads_no_library() -> None:
    code = (
        "import sys\nfrom rl_lab.runners.registry import all_specs\nprint([s.id for s in all_specs()])\n"
        "print([m for m in ('torch', 'gymnasium', 'stable_baselines3', 'numba') if m in sys.modules])"
    )
    hidden = _python(code)
    shown = _python(code, RL_LAB_FAKE_RUNNER="1")
    assert "fake" not in hidden[0]
    assert "fake" in shown[0]
    assert hidden[1] == shown[1] == "[]"


def _python(code: str, **env: str) -> list[str]:
    clean = {k: v for k, v in os.environ.items() if k != "RL_LAB_FAKE_RUNNER"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**clean, **env},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=True,
    )
    return done.stdout.splitlines()
