"""What folder names and configurations reveal about a run."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.names import facts_of_name
from rl_lab.analysis.adoption.yaml_text import MAX_CHARACTERS, read_yaml


@pytest.mark.parametrize(
    ("folder", "algorithm", "env_id", "seed"),
    [
        ("/x/runs/CartPole-v1__ppo__7__1700000000", "ppo", "CartPole-v1", 7),
        ("/x/runs/ALE/Pong-v5__ppo_atari__1__1700000000", "ppo_atari", "ALE/Pong-v5", 1),
        ("/logs/sac/Pendulum-v1_3", "sac", "Pendulum-v1", None),
        ("/tb/PPO_1", "ppo", "", None),
        ("/tb/CartPole-v1/DQN_12", "dqn", "CartPole-v1", None),
        ("/ray/PPO_CartPole-v1_b1f2c_00003_3_lr=0.1_2024", "ppo", "CartPole-v1", None),
        ("/logs/td3-HalfCheetah-v4-seed1", "td3", "HalfCheetah-v4", None),
        ("/logs/PPO_Ant-v5", "ppo", "Ant-v5", None),
        ("/tb/DQN_CartPole-v1/DQN_1", "dqn", "CartPole-v1", None),
        ("/logs/ppo_CartPole-v1_seed3", "ppo", "CartPole-v1", None),
        ("/x/my_experiment", "", "", None),
        ("/", "", "", None),
    ],
)
def test_folders_are_named_as_their_tools_name_them(
    folder: str, algorithm: str, env_id: str, seed: int | None
) -> None:
    facts = facts_of_name(folder)
    assert (facts.algorithm, facts.env_id, facts.seed) == (algorithm, env_id, seed)


def test_cleanrl_names_contain_the_start_time_of_the_run() -> None:
    assert facts_of_name("/r/CartPole-v1__dqn__1__1700000123").began == 1700000123.0


def test_a_config_describes_the_run_and_keeps_only_json_values() -> None:
    facts = facts_of_config(
        {
            "env_id": "CartPole-v1",
            "exp_name": "ppo_continuous_action",
            "seed": "3",
            "total_timesteps": 5e5,
            "bad": math.nan,
            "big": 2**80,
            "nested": {"a": (1, object)},
        }
    )
    assert (facts.env_id, facts.seed, facts.total_timesteps) == ("CartPole-v1", 3, 500_000)
    assert facts.algorithm == "ppo_continuous_action"
    assert facts.args["bad"] == "nan" and facts.args["big"] == str(2**80)
    assert facts.args["nested"]["a"][0] == 1


def test_an_experiment_name_is_not_an_algorithm() -> None:
    assert facts_of_config({"exp_name": "friday evening"}).algorithm == ""
    assert facts_of_config({"algo": "MyOwn"}).algorithm == "myown"


def test_implausible_values_in_a_config_are_ignored() -> None:
    facts = facts_of_config({"seed": -5, "total_timesteps": 1e30, "env_id": {"a": 1}})
    assert (facts.seed, facts.total_timesteps, facts.env_id) == (None, 0, "")
    assert facts_of_config({"seed": True}).seed is None


def test_an_ordered_dict_of_rl_zoo_is_read_without_building_anything() -> None:
    text = (
        "!!python/object/apply:collections.OrderedDict\n- - - algo\n    - ppo\n  - - gym_packages\n    - []\n"
        "  - - n_timesteps\n    - 1000000.0\n  - - policy_kwargs\n    - dict(net_arch=[64, 64])\n"
    )
    assert read_yaml(text) == {
        "algo": "ppo",
        "gym_packages": [],
        "n_timesteps": 1e6,
        "policy_kwargs": "dict(net_arch=[64, 64])",
    }


def test_tags_that_would_run_something_are_read_as_plain_contents() -> None:
    text = (
        "a: !!python/object/apply:os.system ['echo hi']\nb: !!python/name:torch.nn.Tanh ''\nc: !mine {d: 2}\n"
    )
    assert read_yaml(text) == {"a": ["echo hi"], "b": "", "c": {"d": 2}}


def test_numbers_are_read_as_people_write_them_and_dates_stay_text() -> None:
    text = "a: 1e-4\nb: 1_000\nc: 007\nd: 2026-01-02\ne: 1:30\nf: 'yes'\ng: 1.0e-05\nh: '3'\ni: -.5\n"
    assert read_yaml(text) == {
        "a": 1e-4,
        "b": 1000,
        "c": 7,
        "d": "2026-01-02",
        "e": "1:30",
        "f": "yes",
        "g": 1e-5,
        "h": "3",
        "i": -0.5,
    }


def test_aliases_are_read_but_an_alias_bomb_is_refused() -> None:
    assert read_yaml("a: &x {lr: 1}\nb: *x\nc:\n  <<: *x\n  n: 2\n") == {
        "a": {"lr": 1},
        "b": {"lr": 1},
        "c": {"lr": 1, "n": 2},
    }
    levels = "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in pairwise("abcdefghij")
    )
    assert read_yaml("a: &a [x, x]\n" + levels) is None
    assert read_yaml("a: &a [*a]") is None


def test_a_file_that_is_too_large_or_nested_too_deeply_is_refused() -> None:
    assert read_yaml("a: 1\n" * MAX_CHARACTERS) is None
    assert read_yaml("[" * 100_000) is None


def test_mappings_lists_and_values_of_yaml() -> None:
    text = "lr:\n    value: 0.001\nx:\n  desc: null\n  value: [1, 2]\nlist:\n- 1\n- a: 2\n  b: yes\n'q: r': \"s\"\n"
    assert read_yaml(text) == {
        "lr": {"value": 0.001},
        "x": {"desc": None, "value": [1, 2]},
        "list": [1, {"a": 2, "b": "yes"}],
        "q: r": "s",
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- " * 200,
        "a:\n" * 50,
        "\t\x00",
        ":::",
        "- - - -",
        "!!x",
        "[1, 2",
        "x: !!int abc",
        "? [1]\n: 2",
        "!!timestamp no",
    ],
)
def test_what_is_no_yaml_is_plain_values_at_most(text: str) -> None:
    assert isinstance(read_yaml(text), dict | list | str | None)
