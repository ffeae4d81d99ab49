"""The same for continuous actions, with the wrappers of Gymnasium 0.29 such scripts put around their environments."""

import random
import time
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
import torch
import tyro
from torch import nn, optim
from torch.distributions import Normal
from torch.utils.tensorboard import SummaryWriter


@dataclass
class Args:
    exp_name: str = "ppo_continuous"
    """the name of this experiment"""
    seed: int = 1
    """seed of the experiment"""
    env_id: str = "Pendulum-v1"
    """the id of the environment"""
    total_timesteps: int = 2400
    """total timesteps of the experiment"""
    learning_rate: float = 3e-4
    """the learning rate of the optimizer"""
    num_envs: int = 2
    """the number of parallel environments"""
    num_steps: int = 150
    """steps in each environment between two updates"""
    gamma: float = 0.9
    gae_lambda: float = 0.95
    num_minibatches: int = 4
    update_epochs: int = 2
    clip_coef: float = 0.2
    vf_coef: float = 0.5


def make_env(env_id, gamma):
    def thunk():
        env = gym.make(env_id)
        env = gym.wrappers.FlattenObservation(env)
        env = gym.wrappers.RecordEpisodeStatistics(env)
        env = gym.wrappers.ClipAction(env)
        env = gym.wrappers.NormalizeObservation(env)
        env = gym.wrappers.TransformObservation(env, lambda obs: np.clip(obs, -10, 10))
        env = gym.wrappers.NormalizeReward(env, gamma=gamma)
        return gym.wrappers.TransformReward(env, lambda reward: np.clip(reward, -10, 10))

    return thunk


def layer(inputs, outputs, std=2**0.5):
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, std)
    nn.init.constant_(made.bias, 0.0)
    return made


class Agent(nn.Module):
    def __init__(self, envs):
        super().__init__()
        inputs = int(np.array(envs.single_observation_space.shape).prod())
        outputs = int(np.prod(envs.single_action_space.shape))
        self.critic = nn.Sequential(layer(inputs, 32), nn.Tanh(), layer(32, 1, 1.0))
        self.actor_mean = nn.Sequential(layer(inputs, 32), nn.Tanh(), layer(32, outputs, 0.01))
        self.actor_logstd = nn.Parameter(torch.zeros(1, outputs))

    def get_action_and_value(self, x, action=None):
        mean = self.actor_mean(x)
        probs = Normal(mean, torch.exp(self.actor_logstd.expand_as(mean)))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action).sum(1), probs.entropy().sum(1), self.critic(x)


if __name__ == "__main__":
    args = tyro.cli(Args)
    batch_size = args.num_envs * args.num_steps
    writer = SummaryWriter(f"runs/{args.env_id}__{args.exp_name}__{args.seed}")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)

    envs = gym.vector.SyncVectorEnv([make_env(args.env_id, args.gamma) for _ in range(args.num_envs)])
    assert isinstance(envs.single_action_space, gym.spaces.Box)
    agent = Agent(envs)
    optimizer = optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)

    obs = torch.zeros((args.num_steps, args.num_envs, *envs.single_observation_space.shape))
    actions = torch.zeros((args.num_steps, args.num_envs, *envs.single_action_space.shape))
    logprobs, rewards, dones, values = (torch.zeros((args.num_steps, args.num_envs)) for _ in range(4))

    global_step = 0
    start_time = time.time()
    next_obs, _ = envs.reset(seed=args.seed)
    next_obs = torch.Tensor(next_obs)
    next_done = torch.zeros(args.num_envs)

    for _ in range(args.total_timesteps // batch_size):
        for step in range(args.num_steps):
            global_step += args.num_envs
            obs[step], dones[step] = next_obs, next_done
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs)
            actions[step], logprobs[step], values[step] = action, logprob, value.flatten()
            next_obs, reward, terminations, truncations, infos = envs.step(action.cpu().numpy())
            next_done = torch.Tensor(np.logical_or(terminations, truncations))
            reward = torch.tensor(reward, dtype=torch.float32).view(-1)
            # An episode cut by its time limit goes on in the value of the state it was cut in.
            for env_index, truncated in enumerate(truncations):
                if truncated:
                    final = torch.Tensor(np.asarray(infos["final_observation"][env_index]))
                    with torch.no_grad():
                        reward[env_index] += args.gamma * agent.critic(final.unsqueeze(0)).item()
            rewards[step] = reward
            next_obs = torch.Tensor(next_obs)
            if "final_info" in infos:
                for info in infos["final_info"]:
                    if info and "episode" in info:
                        writer.add_scalar("charts/episodic_return", info["episode"]["r"], global_step)
                        writer.add_scalar("charts/episodic_length", info["episode"]["l"], global_step)

        with torch.no_grad():
            next_value = agent.critic(next_obs).flatten()
            advantages = torch.zeros_like(rewards)
            last = 0.0
            for t in reversed(range(args.num_steps)):
                alive = 1.0 - (next_done if t == args.num_steps - 1 else dones[t + 1])
                ahead = next_value if t == args.num_steps - 1 else values[t + 1]
                delta = rewards[t] + args.gamma * ahead * alive - values[t]
                advantages[t] = last = delta + args.gamma * args.gae_lambda * alive * last
            returns = advantages + values

        b_obs = obs.reshape(-1, *envs.single_observation_space.shape)
        b_actions = actions.reshape(-1, *envs.single_action_space.shape)
        b_logprobs, b_advantages = logprobs.reshape(-1), advantages.reshape(-1)
        b_returns, b_inds = returns.reshape(-1), np.arange(batch_size)
        for _ in range(args.update_epochs):
            np.random.shuffle(b_inds)
            for mb in np.split(b_inds, args.num_minibatches):
                _, newlogprob, entropy, newvalue = agent.get_action_and_value(b_obs[mb], b_actions[mb])
                ratio = (newlogprob - b_logprobs[mb]).exp()
                adv = b_advantages[mb]
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                clipped = torch.clamp(ratio, 1 - args.clip_coef, 1 + args.clip_coef)
                pg_loss = torch.max(-adv * ratio, -adv * clipped).mean()
                v_loss = 0.5 * ((newvalue.view(-1) - b_returns[mb]) ** 2).mean()
                loss = pg_loss + args.vf_coef * v_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()

        writer.add_scalar("losses/value_loss", v_loss.item(), global_step)
        writer.add_scalar("losses/policy_loss", pg_loss.item(), global_step)
        writer.add_scalar("losses/entropy", entropy.mean().item(), global_step)
        writer.add_scalar("charts/SPS", int(global_step / (time.time() - start_time)), global_step)

    envs.close()
    writer.close()
