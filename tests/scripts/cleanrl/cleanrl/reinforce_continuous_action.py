# follows the gradient of whole episodes, for actions that are numbers
import os
import random
import time
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
import torch
import tyro
from torch import nn
from torch.distributions.normal import Normal
from torch.utils.tensorboard import SummaryWriter


@dataclass
class Args:
    exp_name: str = os.path.basename(__file__)[: -len(".py")]
    """what this experiment is called"""
    seed: int = 1
    """where the random numbers begin"""
    env_id: str = "Pendulum-v1"
    """the environment"""
    total_timesteps: int = 4000
    """steps in all"""
    learning_rate: float = 1e-3
    """size of a step of the optimizer"""
    gamma: float = 0.9
    """how much the future counts"""


def make_env(env_id, gamma):
    def thunk():
        env = gym.wrappers.RecordEpisodeStatistics(gym.make(env_id))
        env = gym.wrappers.ClipAction(env)
        env = gym.wrappers.NormalizeObservation(env)
        env = gym.wrappers.TransformObservation(env, lambda obs: np.clip(obs, -10, 10))
        env = gym.wrappers.NormalizeReward(env, gamma=gamma)
        return gym.wrappers.TransformReward(env, lambda reward: np.clip(reward, -10, 10))

    return thunk


if __name__ == "__main__":
    args = tyro.cli(Args)
    writer = SummaryWriter(f"runs/{args.env_id}__{args.exp_name}__{args.seed}__{int(time.time())}")
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    envs = gym.vector.SyncVectorEnv([make_env(args.env_id, args.gamma)])
    assert isinstance(envs.single_action_space, gym.spaces.Box), "only continuous action space is supported"
    inputs = int(np.prod(envs.single_observation_space.shape))
    actor = nn.Sequential(
        nn.Linear(inputs, 32), nn.Tanh(), nn.Linear(32, int(np.prod(envs.single_action_space.shape)))
    )
    optimizer = torch.optim.Adam(actor.parameters(), lr=args.learning_rate)

    obs, _ = envs.reset(seed=args.seed)
    logprobs, rewards = [], []
    for global_step in range(args.total_timesteps):
        choice = Normal(actor(torch.Tensor(obs)), 0.5)
        action = choice.sample()
        obs, reward, _, _, infos = envs.step(action.numpy())
        logprobs.append(choice.log_prob(action).sum())
        rewards.append(float(reward[0]))
        if "final_info" not in infos:
            continue
        for info in infos["final_info"]:
            writer.add_scalar("charts/episodic_return", info["episode"]["r"], global_step)
        returns, following = [], 0.0
        for one in reversed(rewards):
            following = one + args.gamma * following
            returns.insert(0, following)
        wanted = torch.tensor(returns)
        loss = -(torch.stack(logprobs) * (wanted - wanted.mean())).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        writer.add_scalar("losses/policy_loss", loss.item(), global_step)
        logprobs, rewards = [], []
    envs.close()
    writer.close()
