"""A model of Stable-Baselines3 rebuilt from tensors for an environment, and saved as the lab's own checkpoint.

The library pickles into the checkpoint what it made itself here; no byte of the imported file is in it but numbers.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import torch
from pydantic import ValidationError
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecNormalize

from rl_lab.runners.imports.found_models import FoundModel
from rl_lab.runners.imports.refusals import refused
from rl_lab.runners.sb3.checkpoints import save_model
from rl_lab.runners.sb3.models import ACTIVATIONS, CLASSES
from rl_lab.runners.sb3.observations import frames_stacked, policy_name, prepare
from rl_lab.runners.sb3.spec import SPEC
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.environments.spaces import space_text

ON_POLICY = ("ppo", "a2c")
NUMBERED = re.compile(r"\.(\d+)\.weight$")
USUAL_ACTIVATION = {"ppo": "tanh", "a2c": "tanh"}
UNTRAINED = ("critic.", "critic_target.", "q_net_target.", "actor_target.")
"""Parts that a policy does not need to act; a file may leave them out."""


def convert_sb3(found: FoundModel, env_id: str, env_kwargs: dict[str, Any], target: Path) -> dict[str, Any]:
    """Writes the checkpoint; returns the parameters of its run."""
    torch.set_num_threads(1)
    vector = _make_vector(found, env_id, env_kwargs)
    try:
        _check_spaces(found, vector, env_id)
        model = _make_model(found, vector)
        _load(model, found, vector, env_id)
        model.num_timesteps = found.timesteps
        save_model(model, target, {})  # the file holds nothing of its training
        return _params(found, model)
    finally:
        vector.close()


def _make_vector(found: FoundModel, env_id: str, env_kwargs: dict[str, Any]) -> Any:
    vector: Any = DummyVecEnv([lambda: prepare(make_environment(env_id, env_kwargs))])
    stack = frames_stacked(vector.envs[0])
    if stack > 1:
        vector = VecFrameStack(vector, stack)
    normaliser = found.normaliser
    if normaliser is None:
        return vector
    observation, reward = normaliser["observation"], normaliser["reward"]
    vector = VecNormalize(vector, norm_obs=observation is not None, norm_reward=reward is not None)
    if observation is not None:
        if observation[0].shape != vector.observation_space.shape:
            raise refused(
                f"The scaling of observations has the shape {observation[0].shape}, and those of {env_id} have "
                f"{vector.observation_space.shape}.",
                "Name the environment that it was trained in: `--env ID`.",
            )
        vector.obs_rms.mean, vector.obs_rms.var, vector.obs_rms.count = observation
    if reward is not None:
        vector.ret_rms.mean, vector.ret_rms.var, vector.ret_rms.count = reward
    return vector


def _check_spaces(found: FoundModel, vector: Any, env_id: str) -> None:
    """Wrong spaces are named before a network is built for them."""
    action = vector.action_space
    size = int(action.n) if hasattr(action, "n") else action.shape[0] if action.shape else None
    is_discrete = hasattr(action, "n") and not action.shape
    seen = vector.observation_space.shape
    fits = found.observation is None or sorted(found.observation) == sorted(seen or ())
    acts = found.action_size is None or (
        found.action_size == size and found.is_discrete in (None, is_discrete)
    )
    if not fits or not acts:
        raise does_not_fit(found, vector.observation_space, action, env_id)


def does_not_fit(found: FoundModel, observation: Any, action: Any, env_id: str) -> Exception:
    return refused(
        f"The model does not fit {env_id}: it takes {found.observation_text} and gives {found.action_text}; {env_id} "
        f"has observations {space_text(observation)} and actions {space_text(action)}.",
        "Name the environment that it was trained in: `--env ID`.",
    )


def _make_model(found: FoundModel, vector: Any) -> Any:
    policy = policy_name(vector.observation_space)
    activation = found.activation or USUAL_ACTIVATION.get(found.algorithm, "relu")
    arguments: dict[str, Any] = {"activation_fn": ACTIVATIONS[activation], "net_arch": _architecture(found)}
    critics = {key.split(".")[1] for key in found.tensors if key.startswith("critic.qf")}
    if critics:
        arguments["n_critics"] = len(critics)
    chosen: dict[str, Any] = {}
    if found.algorithm not in ON_POLICY:
        chosen["buffer_size"] = 1
    if found.settings.get("use_sde") is True and found.algorithm != "dqn":
        chosen["use_sde"] = True
    return CLASSES[found.algorithm](
        policy, vector, policy_kwargs=arguments, device="cpu", seed=0, verbose=0, **chosen
    )


def _architecture(found: FoundModel) -> Any:
    if found.algorithm in ON_POLICY:
        parts = {"pi": "mlp_extractor.policy_net", "vf": "mlp_extractor.value_net"}
        return {key: _widths(found.tensors, prefix) for key, prefix in parts.items()}
    if found.algorithm == "dqn":
        return _widths(found.tensors, "q_net.q_net")[:-1]
    own = "actor.latent_pi" if found.algorithm == "sac" else "actor.mu"
    policy = _widths(found.tensors, own)
    policy = policy if found.algorithm == "sac" else policy[:-1]
    critic = _widths(found.tensors, "critic.qf0")[:-1]
    return {"pi": policy, "qf": critic or policy}


def _widths(tensors: dict[str, Any], prefix: str) -> list[int]:
    """Outputs of the numbered layers below a name, first to last."""
    layers = {
        int(match.group(1)): int(tensor.shape[0])
        for key, tensor in tensors.items()
        if key.startswith(f"{prefix}.") and (match := NUMBERED.search(key)) and tensor.ndim == 2
    }
    return [layers[number] for number in sorted(layers)]


def _load(model: Any, found: FoundModel, vector: Any, env_id: str) -> None:
    own = model.policy.state_dict()
    wrong = [
        f"“{key}” has the shape {tuple(tensor.shape)}, not {tuple(own[key].shape)}"
        for key, tensor in found.tensors.items()
        if key in own and own[key].shape != tensor.shape
    ]
    if wrong:
        message = does_not_fit(found, vector.observation_space, vector.action_space, env_id)
        raise refused(f"{message} ({wrong[0]}.)", "Name the environment that it was trained in: `--env ID`.")
    missing = [key for key in own if key not in found.tensors and not key.startswith(UNTRAINED)]
    unknown = [key for key in found.tensors if key not in own]
    if missing or unknown:
        what = f"“{unknown[0]}” is unknown" if unknown else f"“{missing[0]}” is missing"
        raise refused(
            f"The network is not one that the lab can rebuild: {what}. Policies with their own code are not imported.",
            "Export its policy as ONNX, which the lab can evaluate.",
        )
    if len(found.tensors) < len(own):
        found.notes.append(
            "The file holds no critic, so a training that starts from it learns that part anew."
        )
    model.policy.load_state_dict({**own, **found.tensors})


def _params(found: FoundModel, model: Any) -> dict[str, Any]:
    """The parameters of the run: what the file says in plain numbers, where it is valid; else the defaults."""
    params = SPEC.algorithm(found.algorithm).params
    architecture = _architecture(found)
    widths = architecture.get("pi", []) if isinstance(architecture, dict) else architecture
    given = {
        **{key: value for key, value in found.settings.items() if key in params.model_fields},
        "net_arch": widths,
        "activation": found.activation or USUAL_ACTIVATION.get(found.algorithm, "relu"),
        "normalize_observations": bool(found.normaliser and found.normaliser["observation"]),
        "normalize_reward": bool(found.normaliser and found.normaliser["reward"]),
    }
    for _ in range(len(given)):
        try:
            return params.model_validate(given).model_dump(mode="json")
        except ValidationError as error:
            wrong = {str(one["loc"][0]) for one in error.errors() if one["loc"]} & set(given)
            given = {key: value for key, value in given.items() if key not in wrong} if wrong else {}
    return params.model_validate({}).model_dump(mode="json")
