"""Short worker calls: JSON in, JSON out, whatever libraries print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from support.waiting import DEADLINE_S

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.environments.service import find_environment


def call(name: str, given: Any = None, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "rl_lab.worker.calls", name],
        input=json.dumps(given).encode(),
        capture_output=True,
        timeout=DEADLINE_S,
        check=False,
        env={**os.environ, **env},
    )


@pytest.fixture(scope="module")
def catalogue() -> dict[str, Environment]:
    done = call("environments", RL_LAB_FAKE_RUNNER="1")
    assert done.returncode == 0, done.stderr
    return {entry["id"]: Environment.model_validate(entry) for entry in json.loads(done.stdout)}


def test_environments_of_every_installed_family_are_listed(catalogue: dict[str, Environment]) -> None:
    families = {env.family for env in catalogue.values()}
    assert {"classic control", "toy text", "box2d", "atari", "fake"} <= families
    lander = catalogue["LunarLander-v3"]
    assert (lander.name, lander.action_space, lander.obs_space) == ("Lunar Lander", "DISCRETE(4)", "BOX(8)")
    assert (lander.reward_threshold, lander.max_episode_steps, lander.render_fps) == (200, 1000, 50)
    assert lander.package.startswith("gymnasium 1.")
    assert catalogue["BipedalWalker-v3"].action_space_type == "continuous"
    assert catalogue["FrozenLake8x8-v1"].name == "Frozen Lake 8x8"
    assert catalogue["Blackjack-v1"].obs_space_dims == [32, 11, 2]
    assert all(env.available or env.install for env in catalogue.values())


def test_robots_without_mujoco_are_listed_with_the_command_that_installs_it() -> None:
    code = (
        "import sys; sys.modules['mujoco'] = sys.modules['ale_py'] = None\n"
        "from rl_lab.worker.environments.make import list_environments\n"
        "import json; print(json.dumps(list_environments()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=DEADLINE_S, check=True)
    listed = [Environment.model_validate(entry) for entry in json.loads(done.stdout.splitlines()[-1])]
    found = {env.id: env for env in listed}
    ant, pong = found["Ant-v5"], found["ALE/Pong-v5"]
    assert (ant.available, ant.install, ant.action_space) == (
        False,
        "pip install 'gymnasium[mujoco]'",
        "BOX(8)",
    )
    assert (pong.available, pong.install, pong.action_space) == (
        False,
        "pip install 'rl-lab[atari]'",
        "DISCRETE(6)",
    )
    assert found["CartPole-v1"].available and found["CartPole-v1"].install is None
    assert [env.available for env in listed] == sorted((env.available for env in listed), reverse=True)
    with pytest.raises(InvalidInput, match=r"pip install 'rl-lab\[atari\]'"):
        find_environment("ALE/Zaxxon-v5", listed)
    with pytest.raises(InvalidInput, match=r"pip install 'rl-lab\[atari\]'"):
        find_environment("ALE/Pong-v5", listed)


def test_only_the_newest_version_of_each_id_is_listed(catalogue: dict[str, Environment]) -> None:
    assert "CartPole-v1" in catalogue
    assert "CartPole-v0" not in catalogue
    assert "Pong-v4" not in catalogue
    names = [env_id.rpartition("-v")[0] for env_id in catalogue]
    assert len(names) == len(set(names))


def test_atari_spaces_agree_with_the_games(catalogue: dict[str, Environment]) -> None:
    from rl_lab.worker.environments.make import make_environment

    for env_id in ("ALE/Pong-v5", "ALE/Breakout-v5", "ALE/Pooyan-v5", "ALE/Alien-v5"):
        env = make_environment(env_id)
        assert catalogue[env_id].action_space == f"DISCRETE({env.action_space.n})"
        assert catalogue[env_id].obs_space_dims == list(env.observation_space.shape)
        env.close()


def test_the_fake_environment_is_listed_only_on_demand() -> None:
    code = "from rl_lab.worker.environments.make import list_environments as l; print([e['id'] for e in l()])"
    clean = {k: v for k, v in os.environ.items() if k != "RL_LAB_FAKE_RUNNER"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=clean, timeout=DEADLINE_S, check=True
    )
    assert b"CartPole-v1" in done.stdout
    assert b"fake/" not in done.stdout


def test_an_environment_whose_package_is_absent_is_listed_with_a_remedy() -> None:
    code = (
        "import sys; sys.modules['Box2D'] = None\n"
        "from rl_lab.worker.environments.make import list_environments\n"
        "import json; print(json.dumps([e for e in list_environments() if e['id'] == 'LunarLander-v3']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=DEADLINE_S, check=True)
    (entry,) = json.loads(done.stdout.splitlines()[-1])
    assert "Box2D" in entry["problem"]
    assert "rl-lab[box2d]" in entry["remedy"]


def test_probe_tells_torch_and_devices() -> None:
    answer = json.loads(call("probe").stdout)
    assert answer["torch"]
    assert isinstance(answer["devices"], list)
    assert answer["cores"] >= 1


def test_a_failing_call_says_why_in_its_last_line() -> None:
    done = call("nonsense")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"The worker call" in done.stderr.splitlines()[-1]
    done = call("probe", [1])
    assert done.returncode == 1
    assert b"JSON object" in done.stderr.splitlines()[-1]
