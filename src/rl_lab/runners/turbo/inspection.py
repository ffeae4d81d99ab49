"""A turbo checkpoint opened for inspection: its weights, and the losses of `ppo.py` and `dqn.py` on played steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint
from rl_lab.runners.turbo.dqn import td_gradient, td_targets
from rl_lab.runners.turbo.envs import flatten
from rl_lab.runners.turbo.kernels import Network, Shape
from rl_lab.runners.turbo.normalise import RunningNorm
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.playing import reward_scale
from rl_lab.runners.turbo.policies import make_distribution
from rl_lab.runners.turbo.ppo import advantages, clipped_gradient, policy_shape
from rl_lab.worker.models.inspected_model import Act, Experience, InspectedModel, LayerOutput, Tensors

F32 = NDArray[np.float32]
Batch = dict[str, NDArray[Any]]


def open_model(checkpoint: Path) -> InspectedModel:
    header, state = read_checkpoint(checkpoint)
    return (TurboPpoModel if header.algorithm == "ppo" else TurboDqnModel)(header, state)


class _TurboModel:
    """What both algorithms have in common: the network, its tensors and what its layers put out."""

    twins: tuple[str, ...]

    def __init__(self, header: Header, state: dict[str, Any], shape: Shape) -> None:
        self._env, self._scale = header.env, reward_scale(header, state)
        self._network = Network(shape, np.array(state["parameters"], np.float32))
        self._rng = np.random.default_rng(0)

    def tensors(self) -> Tensors:
        return {name: np.array(view) for name, view in self._named(self._network.parameters).items()}

    def replace(self, tensors: Tensors) -> None:
        views = self._named(self._network.parameters)
        for name, tensor in tensors.items():
            views[name][:] = tensor

    def wrap(self, env: Any) -> Any:
        return env

    def layer_outputs(self, batch: Batch) -> list[LayerOutput]:
        outputs = self._network.forward(batch["x"])
        kind = "relu" if self._network.shape.relu else "tanh"
        buffers = self._network.buffers(len(batch["x"]))
        found = []
        for number, twin in enumerate(self.twins):
            found += [LayerOutput(f"{twin}.hidden{k}", buffers[f"h{k}"][number].copy(), kind) for k in (1, 2)]
            found.append(LayerOutput(f"{twin}.output", outputs[number].copy()))
        return found

    def _named(self, blocks: dict[str, F32]) -> Tensors:
        """Views of the blocks by layer, weights as (outputs, inputs)."""
        named: Tensors = {}
        for number, twin in enumerate(self.twins):
            for layer in ("1", "2"):
                named[f"{twin}.hidden{layer}.weight"] = blocks[f"w{layer}"][number].T
                named[f"{twin}.hidden{layer}.bias"] = blocks[f"b{layer}"][number, 0]
            named[f"{twin}.output.weight"] = blocks[f"w3_{number}"].T
            named[f"{twin}.output.bias"] = blocks[f"b3_{number}"]
        if "free" in blocks:
            named["log_std"] = blocks["free"]
        return named

    def _flat(self, observations: list[Any]) -> F32:
        return np.stack([flatten(one, self._env) for one in observations])

    def _gradients(self) -> Tensors:
        return {name: np.array(view) for name, view in self._named(self._network.gradients).items()}


class TurboPpoModel(_TurboModel):
    twins = ("policy", "value")
    loss_name = "PPO: clipped policy loss, value loss and entropy"
    exploration = "sampled, as in training"

    def __init__(self, header: Header, state: dict[str, Any]) -> None:
        self._params = TurboPpoParams.model_validate(header.params)
        super().__init__(header, state, policy_shape(header.env, self._params))
        self._norm = RunningNorm(
            header.env.observation_size, np.zeros, enabled=self._params.normalize_observations
        )
        self._norm.restore(state["norm"])
        spread = self._network.parameters.get("free", np.zeros(0, np.float32)).copy()
        self._policy = make_distribution(header.env, self._network, self._params.log_std_init)
        if spread.size:
            self._network.parameters["free"][:] = spread  # the distribution has reset it

    def act(self, observation: Any) -> Act:
        x = self._norm.apply(flatten(observation, self._env)[None])
        noise = np.empty((1, self._env.action_size), np.float32)
        self._policy.draw(self._rng, noise)
        learnt, played = self._policy.sample(self._network.forward_one(0, x), noise)
        if self._env.is_discrete:
            return Act(int(learnt[0]), int(played[0]) + self._env.action_start)
        return Act(learnt[0], played[0].reshape(self._env.action_shape))

    def prepare(self, experience: Experience) -> Batch:
        p = self._params
        x = self._norm.apply(self._flat([*experience.observations, experience.following[-1]]))
        outputs, column = (one.copy() for one in self._network.forward(x))
        reward = (experience.rewards * self._scale).astype(np.float32)
        if p.normalize_reward:
            np.clip(reward, -10, 10, out=reward)
        cut = experience.truncated & ~experience.terminated
        if cut.any():
            last = [one for one, is_cut in zip(experience.following, cut, strict=True) if is_cut]
            reward[cut] += p.gamma * self._network.forward(self._norm.apply(self._flat(last)))[1][:, 0]
        advantage = advantages(reward[:, None], column, experience.ended[:, None], p)[:, 0]
        values, action = column[:-1, 0], experience.actions
        return {
            "x": x[:-1],
            "action": action,
            "logp": self._policy.log_prob(outputs[:-1], action).copy(),
            "target": advantage + values,
            "advantage": (advantage - advantage.mean()) / (advantage.std() + 1e-8),
        }

    def losses(self, batch: Batch) -> dict[str, float]:
        p = self._params
        output, value = self._network.forward(batch["x"])
        logp = self._policy.log_prob(output, batch["action"])
        ratio = np.exp((logp - batch["logp"]).astype(np.float64))
        clipped = np.clip(ratio, 1 - p.clip_range, 1 + p.clip_range)
        gain = np.minimum(ratio * batch["advantage"], clipped * batch["advantage"])
        error = (value[:, 0] - batch["target"]).astype(np.float64)
        terms = {"policy": float(-gain.mean()), "value": p.vf_coef * float((error**2).mean())}
        if p.ent_coef:
            terms["entropy"] = -p.ent_coef * self._entropy(output)
        return terms

    def gradients(self, batch: Batch) -> Tensors:
        clipped_gradient(self._network, self._policy, self._params, batch)
        return self._gradients()

    def _entropy(self, output: F32) -> float:
        if not self._env.is_discrete:
            spread = self._network.parameters["free"].astype(np.float64)
            return float((spread + 0.5 * np.log(2 * np.pi * np.e)).sum())
        logits = output.astype(np.float64)
        logits -= logits.max(axis=1, keepdims=True)
        log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return float(-(np.exp(log_p) * log_p).sum(axis=1).mean())


class TurboDqnModel(_TurboModel):
    twins = ("q",)
    loss_name = "Double DQN: Huber loss of the temporal difference"
    exploration = "the best action, or a random one as at the end of training"

    def __init__(self, header: Header, state: dict[str, Any]) -> None:
        p = self._params = TurboDqnParams.model_validate(header.params)
        env = header.env
        shape = Shape(env.observation_size, p.hidden, (env.action_size,), relu=p.activation == "relu")
        super().__init__(header, state, shape)
        self._target = Network(shape, np.array(state["target"], np.float32))

    def act(self, observation: Any) -> Act:
        if self._rng.random() < self._params.exploration_final_eps:
            action = int(self._rng.integers(self._env.action_size))
        else:
            action = int(np.argmax(self._network.forward_one(0, flatten(observation, self._env)[None])))
        return Act(action, action + self._env.action_start)

    def prepare(self, experience: Experience) -> Batch:
        """n-step returns, as the replay buffer samples them; steps too near to the end of the batch are left out."""
        p, rows = self._params, []
        for first in range(len(experience)):
            last, reward, discount = first, 0.0, 1.0
            for last in range(first, min(first + p.n_steps, len(experience))):
                reward += discount * experience.rewards[last] * self._scale
                discount *= p.gamma
                if experience.ended[last]:
                    break
            if experience.ended[last] or last - first + 1 == p.n_steps:
                rows.append((first, last, reward, 0.0 if experience.terminated[last] else discount))
        first_rows, last_rows, rewards, discounts = zip(*rows, strict=True)
        batch: Batch = {
            "x": self._flat([experience.observations[row] for row in first_rows]),
            "next": self._flat([experience.following[row] for row in last_rows]),
            "action": experience.actions[list(first_rows)].astype(np.int64),
            "reward": np.asarray(rewards, np.float32),
            "discount": np.asarray(discounts, np.float32),
        }
        batch["observation"] = batch["x"]
        batch["target"] = td_targets(self._network, self._target, batch)
        return batch

    def losses(self, batch: Batch) -> dict[str, float]:
        q = self._network.forward(batch["x"])[0].astype(np.float64)
        error = np.abs(q[np.arange(len(q)), batch["action"]] - batch["target"])
        huber = np.where(error < 1, 0.5 * error**2, error - 0.5)
        return {"temporal difference": float(huber.mean())}

    def gradients(self, batch: Batch) -> Tensors:
        td_gradient(self._network, batch)
        return self._gradients()
