"""What the shell offers after Tab, asked as bash asks."""

from __future__ import annotations

import subprocess

import pytest
from support.server import COMMAND, Server, environment
from support.waiting import DEADLINE_S


def offered(server: Server, *words: str) -> list[str]:
    env = environment(
        server.home,
        _RL_LAB_COMPLETE="complete_bash",
        COMP_WORDS=" ".join(("rl-lab", *words)),
        COMP_CWORD=str(len(words)),
    )
    done = subprocess.run(COMMAND, env=env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    return done.stdout.split()


@pytest.fixture(scope="module")
def run_id(shared_server: Server) -> str:
    run = shared_server.create(total_timesteps=1000, name="completed by its name", start=True)
    shared_server.wait(run["id"], "succeeded")
    return str(run["id"])


def test_runs_are_offered_by_id_and_by_name(shared_server: Server, run_id: str) -> None:
    assert run_id in offered(shared_server, "show", run_id[:4])
    assert offered(shared_server, "show", "comp") == ["completed-by-its-name"]
    assert offered(shared_server, "show", "lat") == ["latest"]


def test_environments_algorithms_and_parameters_are_offered(shared_server: Server) -> None:
    assert "CartPole-v1" in offered(shared_server, "train", "CartP")
    assert offered(shared_server, "train", "CartPole-v1", "--algorithm", "dq") == ["dqn"]
    assert offered(shared_server, "train", "CartPole-v1", "--runner", "turb") == ["turbo"]
    chosen = ("train", "CartPole-v1", "--runner", "sb3", "--algorithm", "ppo")
    assert offered(shared_server, *chosen, "--set", "learn") == ["learning_rate="]
