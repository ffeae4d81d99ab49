"""Learns what each action is worth from a memory of past steps.

Shares its memory with other scripts of the checkout.
"""

import os
import random
import time
from dataclasses import dataclass, field
from typing import Literal

import gymnasium as gym
import numpy as np
import torch
import tyro
from cleanrl_utils.memory import Memory
from torch import nn
from torch.utils.tensorboard import SummaryWriter

SECOND = 50


@dataclass
class Args:
    exp_name: str = os.path.basename(__file__)[: -len(".py")]
    """what this experiment is called"""
    seed: int = 1
    """where the random numbers begin"""
    cuda: bool = True
    """use a GPU if there is one"""
    env_id: str = "CartPole-v1"
    """the environment"""
    total_timesteps: int = int(2e4)
    """steps in all"""
    learning_rate: float = 1 / 400
    """size of a step of the optimizer"""
    num_envs: int = 1
    """environments side by side"""
    buffer_size: int = 10_000
    """steps remembered"""
    gamma: float = 0.99
    """how much the future counts"""
    batch_size: int = 64
    """steps of an update"""
    start_e: float = 1
    """chance of a random action at the beginning"""
    end_e: float = 0.05
    """and at the end"""
    learning_starts: int = 4 * SECOND
    """steps before the first update"""
    hidden: tuple[int, ...] = (32, 32)
    """units of the layers between"""
    loss: Literal["mse", "huber"] = "mse"
    """how a mistake is measured"""
    notes: list[str] = field(default_factory=list)
    """words kept with the run"""
    max_norm: float | None = None
    """longest gradient"""


if __name__ == "__main__":
    args = tyro.cli(Args)
    assert args.num_envs == 1, "vectorized envs are not supported at the moment"
    writer = SummaryWriter(f"runs/{args.env_id}__{args.exp_name}__{args.seed}__{int(time.time())}")
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    generator = np.random.default_rng(args.seed)
    envs = gym.vector.SyncVectorEnv([lambda: gym.wrappers.RecordEpisodeStatistics(gym.make(args.env_id))])
    assert isinstance(envs.single_action_space, gym.spaces.Discrete), (
        "only discrete action space is supported"
    )
    widths = [int(np.prod(envs.single_observation_space.shape)), *args.hidden]
    layers = [part for a, b in zip(widths, widths[1:], strict=False) for part in (nn.Linear(a, b), nn.ReLU())]
    q_network = nn.Sequential(*layers, nn.Linear(widths[-1], int(envs.single_action_space.n)))
    optimizer = torch.optim.Adam(q_network.parameters(), lr=args.learning_rate)
    measure = nn.functional.mse_loss if args.loss == "mse" else nn.functional.huber_loss
    memory = Memory(args.buffer_size, envs.single_observation_space.shape)

    obs, _ = envs.reset(seed=args.seed)
    for global_step in range(args.total_timesteps):
        epsilon = max(args.end_e, args.start_e - global_step / (0.5 * args.total_timesteps))
        if random.random() < epsilon:
            actions = np.array([envs.single_action_space.sample()])
        else:
            actions = q_network(torch.Tensor(obs)).argmax(1).numpy()
        next_obs, rewards, terminations, truncations, infos = envs.step(actions)
        real_next_obs = next_obs.copy()
        for index, is_truncated in enumerate(truncations):
            if is_truncated:
                real_next_obs[index] = infos["final_observation"][index]
        for info in infos.get("final_info", ()):
            if info and "episode" in info:
                writer.add_scalar("charts/episodic_return", info["episode"]["r"], global_step)
        memory.add(obs[0], real_next_obs[0], int(actions[0]), float(rewards[0]), bool(terminations[0]))
        obs = next_obs
        if global_step > args.learning_starts and global_step % 4 == 0:
            before, after, played, reward, ended = map(
                torch.as_tensor, memory.draw(generator, args.batch_size)
            )
            with torch.no_grad():
                target = reward + args.gamma * q_network(after).max(1).values * (1 - ended)
            loss = measure(q_network(before).gather(1, played[:, None]).flatten(), target)
            optimizer.zero_grad()
            loss.backward()
            if args.max_norm is not None:
                nn.utils.clip_grad_norm_(q_network.parameters(), args.max_norm)
            optimizer.step()
            if global_step % 100 == 0:
                writer.add_scalar("losses/td_loss", loss.item(), global_step)
    envs.close()
    writer.close()
