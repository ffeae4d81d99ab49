"""Names by difference: two runs that differ have names that differ."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Params, Preset, complete_params, find_preset
from rl_lab.core.words.run_names import distinct_parts, job_name, training_name
from rl_lab.core.words.variant_labels import label_variants


class Few(Params):
    learning_rate: float = 0.0003
    gamma: float = 0.99
    n_envs: int = 8
    hidden: tuple[int, ...] = (64, 64)
    normalize: bool = True
    log_std_init: float = 0.0


ALGORITHM = AlgorithmSpec(
    id="ppo",
    name="PPO",
    description="",
    action_kinds=("discrete",),
    params=Few,
    presets=(
        Preset(id="fast", title="Fast", total_timesteps=1000, params={"n_envs": 2}),
        Preset(id="fast", title="Fast", env_id="CartPole-v1", total_timesteps=1000, params={"n_envs": 16}),
        Preset(id="high_score", title="High Score", total_timesteps=9000),
    ),
    default_preset="fast",
)


def name(preset: str = "fast", steps: int | None = None, seed: int | None = 3, **params: Any) -> str:
    chosen = find_preset(ALGORITHM, preset, "CartPole-v1")
    config = TrainConfig(
        algorithm="ppo",
        env_id="CartPole-v1",
        preset=preset,
        total_timesteps=steps or chosen.total_timesteps or 1,
        seed=seed,
        params=complete_params(ALGORITHM, chosen, params),
    )
    return training_name(config, ALGORITHM)


def test_an_untouched_preset_for_the_environment_leaves_algorithm_environment_and_seed() -> None:
    assert name() == "PPO on CartPole-v1 · seed 3"


def test_a_name_lists_wrappers_in_their_order() -> None:
    chosen = [{"id": "frame_stack", "frames": 4}, {"id": "flatten"}]
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", seed=3, env_kwargs={"wrappers": chosen})
    assert training_name(config, ALGORITHM) == "PPO on CartPole-v1 · frame stack 4, flatten · seed 3"


def test_a_name_holds_what_differs_from_the_preset() -> None:
    assert name(learning_rate=0.002) == "PPO on CartPole-v1 · learning rate 0.002 · seed 3"
    assert name(preset="high_score") == "PPO on CartPole-v1 · high score · seed 3"
    assert name(steps=20_000) == "PPO on CartPole-v1 · 20,000 steps · seed 3"


def test_more_than_three_differences_are_counted() -> None:
    changed = name(learning_rate=1e-5, gamma=0.9, n_envs=4, normalize=False, hidden=[32, 32])
    assert changed == "PPO on CartPole-v1 · learning rate 1e-5 · gamma 0.9 · n envs 4 · +2 · seed 3"


@pytest.mark.parametrize(
    ("params", "part"),
    [
        ({"hidden": [32, 16]}, "hidden 32, 16"),
        ({"normalize": False}, "no normalize"),
        ({"log_std_init": -0.5}, "log std init −0.5"),
    ],
)
def test_values_read_as_a_person_writes_them(params: dict[str, Any], part: str) -> None:
    assert name(**params) == f"PPO on CartPole-v1 · {part} · seed 3"


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (["python", "-u", "/home/me/train.py"], "train.py"),
        (
            ["python", "/home/me/train.py", "--lr=0.1", "--seed", "1", "--cuda"],
            "train.py · lr 0.1 · cuda · seed 1",
        ),
        (["python", "-m", "package.train", "--seed", "2"], "package.train · seed 2"),
        (["./learner"], "learner"),
    ],
)
def test_a_script_is_named_after_its_file_and_arguments(command: list[str], wanted: str) -> None:
    config = TrainConfig(runner="script", algorithm="script", seed=None, params={"command": command})
    assert training_name(config, None) == wanted


def test_only_the_parts_that_differ_are_kept() -> None:
    names = ["PPO on A · lr 1 · seed 1", "PPO on A · lr 1 · seed 2"]
    assert distinct_parts(names) == ["seed 1", "seed 2"]
    assert distinct_parts(["PPO on A · seed 1", "PPO on A · seed 1 · lr 2"]) == [
        "PPO on A · seed 1",
        "PPO on A · seed 1 · lr 2",
    ]
    assert distinct_parts(["mine", "mine"]) == ["mine", "mine"]


def test_a_job_is_named_after_its_training() -> None:
    assert job_name("Evaluation", ["PPO on A · seed 1"]) == "Evaluation of PPO on A · seed 1"
    assert (
        job_name("Duel", ["PPO on A · seed 1", "PPO on A · seed 2"]) == "Duel of PPO on A: seed 1 and seed 2"
    )
    assert job_name("Duel", ["a", "b", "c"]) == "Duel of a and 2 others"


def test_variants_of_a_training_from_a_dataset_count_updates() -> None:
    settings = [{"total_timesteps": 1}, {"total_timesteps": 2_000}]
    assert label_variants(settings, "update") == ["1 update", "2,000 updates"]
    assert label_variants(settings) == ["1 step", "2,000 steps"]
