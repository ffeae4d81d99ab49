# a small learner in the shape of the single-file ones: policy gradient with a clipped objective
import os
import random
import time
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
import torch
import tyro
from torch import nn
from torch.distributions.categorical import Categorical
from torch.utils.tensorboard import SummaryWriter


@dataclass
class Args:
    exp_name: str = os.path.basename(__file__)[: -len(".py")]
    """what this experiment is called"""
    seed: int = 1
    """where the random numbers begin"""
    cuda: bool = True
    """use a GPU if there is one"""
    track: bool = False
    """log to Weights and Biases"""
    wandb_project_name: str = "toys"
    """the project there"""
    wandb_entity: str = None
    """the team there"""

    # what it learns with
    env_id: str = "CartPole-v1"
    """the environment"""
    total_timesteps: int = 40_000
    """steps in all environments together"""
    learning_rate: float = 2.5e-3
    """size of a step of the optimizer"""
    num_envs: int = 2
    """environments side by side"""
    num_steps: int = 64
    """steps in each between two updates"""
    anneal_lr: bool = True
    """let the learning rate fall to zero"""
    gamma: float = 0.99
    """how much the future counts"""
    clip_coef: float = 0.2
    """how far the policy may move"""
    target_kl: float = None
    """stop an update that has moved this far"""

    # worked out below
    batch_size: int = 0
    """steps of an update (computed in runtime)"""
    num_iterations: int = 0
    """updates in all (computed in runtime)"""


def make_env(env_id):
    def thunk():
        return gym.wrappers.RecordEpisodeStatistics(gym.make(env_id))

    return thunk


class Agent(nn.Module):
    def __init__(self, envs):
        super().__init__()
        inputs = int(np.prod(envs.single_observation_space.shape))
        self.critic = nn.Sequential(nn.Linear(inputs, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor = nn.Sequential(
            nn.Linear(inputs, 32), nn.Tanh(), nn.Linear(32, envs.single_action_space.n)
        )

    def act(self, x, action=None):
        choice = Categorical(logits=self.actor(x))
        action = choice.sample() if action is None else action
        return action, choice.log_prob(action), choice.entropy(), self.critic(x).flatten()


if __name__ == "__main__":
    args = tyro.cli(Args)
    args.batch_size = int(args.num_envs * args.num_steps)
    args.num_iterations = args.total_timesteps // args.batch_size
    run_name = f"{args.env_id}__{args.exp_name}__{args.seed}__{int(time.time())}"
    if args.track:
        import wandb

        wandb.init(
            project=args.wandb_project_name,
            entity=args.wandb_entity,
            sync_tensorboard=True,
            config=vars(args),
            name=run_name,
        )
    writer = SummaryWriter(f"runs/{run_name}")
    writer.add_text("hyperparameters", str(vars(args)))

    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() and args.cuda else "cpu")
    envs = gym.vector.SyncVectorEnv([make_env(args.env_id) for _ in range(args.num_envs)])
    assert isinstance(envs.single_action_space, gym.spaces.Discrete), (
        "only discrete action space is supported"
    )
    agent = Agent(envs).to(device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)

    started, global_step = time.time(), 0
    shape = (args.num_steps, args.num_envs)
    obs = torch.zeros(shape + envs.single_observation_space.shape)
    actions, logprobs, rewards, dones, values = (torch.zeros(shape) for _ in range(5))
    next_obs, _ = envs.reset(seed=args.seed)
    next_obs, next_done = torch.Tensor(next_obs), torch.zeros(args.num_envs)
    for iteration in range(1, args.num_iterations + 1):
        if args.anneal_lr:
            optimizer.param_groups[0]["lr"] = (1 - (iteration - 1) / args.num_iterations) * args.learning_rate
        for step in range(args.num_steps):
            global_step += args.num_envs
            obs[step], dones[step] = next_obs, next_done
            with torch.no_grad():
                action, logprobs[step], _, values[step] = agent.act(next_obs)
            actions[step] = action
            next_obs, reward, terminations, truncations, infos = envs.step(action.cpu().numpy())
            rewards[step] = torch.tensor(reward)
            next_obs, next_done = (
                torch.Tensor(next_obs),
                torch.Tensor(np.logical_or(terminations, truncations)),
            )
            for info in infos.get("final_info", ()):
                if info and "episode" in info:
                    print(f"global_step={global_step}, episodic_return={info['episode']['r']}")
                    writer.add_scalar("charts/episodic_return", info["episode"]["r"], global_step)
        with torch.no_grad():
            following = agent.act(next_obs)[3]
            returns = torch.zeros(shape)
            for t in reversed(range(args.num_steps)):
                following = rewards[t] + args.gamma * following * (
                    1 - (dones[t + 1] if t + 1 < args.num_steps else next_done)
                )
                returns[t] = following
        flat = (
            obs.reshape(-1, *obs.shape[2:]),
            actions.flatten(),
            logprobs.flatten(),
            returns.flatten(),
            values.flatten(),
        )
        for _ in range(4):
            _, logprob, entropy, value = agent.act(flat[0], flat[1].long())
            advantage = flat[3] - flat[4]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            ratio = (logprob - flat[2]).exp()
            clipped = torch.clamp(ratio, 1 - args.clip_coef, 1 + args.clip_coef)
            policy_loss = -torch.min(advantage * ratio, advantage * clipped).mean()
            value_loss = 0.5 * ((value - flat[3]) ** 2).mean()
            loss = policy_loss + 0.5 * value_loss - 0.01 * entropy.mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
            if args.target_kl is not None and float((flat[2] - logprob).mean()) > args.target_kl:
                break
        writer.add_scalar("charts/learning_rate", optimizer.param_groups[0]["lr"], global_step)
        writer.add_scalar("losses/value_loss", value_loss.item(), global_step)
        writer.add_scalar("losses/policy_loss", policy_loss.item(), global_step)
        writer.add_scalar("losses/entropy", entropy.mean().item(), global_step)
        writer.add_scalar("charts/SPS", int(global_step / (time.time() - started)), global_step)
    envs.close()
    writer.close()
