"""Our declarations of SB3's hyper-parameters against the library itself."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import pytest
from stable_baselines3 import A2C, DQN, PPO, SAC, TD3
from support.waiting import DEADLINE_S

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import AlgorithmSpec, complete_params, find_preset
from rl_lab.runners.sb3 import Sb3Runner
from rl_lab.runners.sb3.models import ACTIVATIONS, CLASSES, OWN_FIELDS, POLICY_FIELDS

LIBRARY: dict[str, Any] = {"ppo": PPO, "a2c": A2C, "dqn": DQN, "sac": SAC, "td3": TD3}
SET_BY_THE_LAB = {
    "policy",
    "env",
    "seed",
    "device",
    "verbose",
    "tensorboard_log",
    "stats_window_size",
    "policy_kwargs",
    "action_noise",
    "_init_setup_model",
}
NOT_OFFERED = {
    "rollout_buffer_class",
    "rollout_buffer_kwargs",
    "replay_buffer_class",
    "replay_buffer_kwargs",
    "optimize_memory_usage",
}
GROUPS = {"Learning", "Exploration", "Network", "Environment", "Advanced"}

each_algorithm = pytest.mark.parametrize("spec", Sb3Runner.spec.algorithms, ids=lambda spec: spec.id)


def defaults(callable_: Any) -> dict[str, Any]:
    return {name: p.default for name, p in inspect.signature(callable_).parameters.items()}


def refusal(algorithm: str, **given: Any) -> str:
    with pytest.raises(InvalidInput) as refused:
        complete_params(Sb3Runner.spec.algorithm(algorithm), None, given)
    return str(refused.value)


@each_algorithm
def test_constructor_parameters_are_offered_with_the_librarys_defaults(spec: AlgorithmSpec) -> None:
    theirs = {k: v for k, v in defaults(LIBRARY[spec.id]).items() if k not in SET_BY_THE_LAB | NOT_OFFERED}
    ours = {name: f.default for name, f in spec.params.model_fields.items()}
    assert theirs == {name: ours[name] for name in ours.keys() - OWN_FIELDS - POLICY_FIELDS}


@each_algorithm
def test_network_parameters_have_the_librarys_defaults(spec: AlgorithmSpec) -> None:
    theirs = defaults(LIBRARY[spec.id].policy_aliases["MlpPolicy"])
    ours = {name: f.default for name, f in spec.params.model_fields.items()}
    assert {n: ours[n] for n in ours.keys() & POLICY_FIELDS} == {
        n: theirs[n] for n in ours.keys() & POLICY_FIELDS
    }
    assert ACTIVATIONS[ours["activation"]] is theirs["activation_fn"]


@each_algorithm
def test_default_layers_are_those_the_library_builds(spec: AlgorithmSpec) -> None:
    env_id = "CartPole-v1" if "discrete" in spec.action_kinds else "Pendulum-v1"
    built = CLASSES[spec.id]("MlpPolicy", env_id, device="cpu").policy.net_arch
    wanted = spec.params.model_fields["net_arch"].default
    assert built in (wanted, {"pi": wanted, "vf": wanted})


@each_algorithm
def test_every_parameter_has_the_metadata_for_the_form(spec: AlgorithmSpec) -> None:
    for name, schema in spec.params.model_json_schema()["properties"].items():
        assert len(schema["description"]) > 20, name
        assert schema["x-group"] in GROUPS, name


@each_algorithm
def test_every_preset_is_valid_and_has_its_length(spec: AlgorithmSpec) -> None:
    for preset in spec.presets:
        complete_params(spec, preset, {})
        assert preset.total_timesteps or preset.max_seconds
    for preset_id in ("fast", "stable", "high_score", "short", "medium", "long"):
        assert find_preset(spec, preset_id, "Anything-v0").env_id is None
        assert find_preset(spec, preset_id, "BipedalWalker-v3").env_id in ("BipedalWalker-v3", None)


def test_tuned_presets_exist_for_the_environments_people_start_with() -> None:
    for algorithm, env_id in (("ppo", "CartPole-v1"), ("dqn", "LunarLander-v3"), ("sac", "BipedalWalker-v3")):
        assert find_preset(Sb3Runner.spec.algorithm(algorithm), "stable", env_id).env_id == env_id


def test_a_batch_larger_than_the_rollout_is_refused_with_the_numbers() -> None:
    message = refusal("ppo", n_steps=16, n_envs=2)
    assert "params.batch_size" in message and "16 × 2 = 32" in message


def test_learning_that_starts_after_the_buffer_is_full_is_refused() -> None:
    assert "params.learning_starts" in refusal("dqn", buffer_size=1000, learning_starts=1000)


def test_exploration_that_rises_is_refused() -> None:
    assert "Swap the two values" in refusal("dqn", exploration_initial_eps=0.1, exploration_final_eps=0.5)


def test_out_of_range_values_name_field_and_range() -> None:
    with pytest.raises(InvalidInput) as refused:
        complete_params(Sb3Runner.spec.algorithm("ppo"), None, {"gamma": 1.5})
    (error,) = refused.value.errors
    assert error.field == "params.gamma" and error.allowed["maximum"] == 1


def test_discrete_learners_refuse_continuous_actions_with_a_message() -> None:
    assert "needs discrete actions" in (
        Sb3Runner.spec.algorithm("dqn").refuse_action_kind("continuous", "Pendulum-v1") or ""
    )
    assert Sb3Runner.spec.algorithm("sac").refuse_action_kind("discrete", "CartPole-v1")


def test_reading_the_spec_loads_no_learning_library() -> None:
    heavy = ("torch", "gymnasium", "stable_baselines3")
    code = f"import sys, rl_lab.runners.sb3; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=DEADLINE_S)
    assert done.stdout.strip() == b"[]"
