# A small learner of our own, in the style of CORL: two networks, of which one is updated every other time.
import os
import random
import uuid
from dataclasses import asdict, dataclass
from typing import Optional

import d4rl
import gym
import numpy as np
import pyrallis
import torch
import torch.nn as nn
import wandb


@dataclass
class TrainConfig:
    # Experiment
    device: str = "cuda"
    env: str = "halfcheetah-medium-v2"  # Name of the dataset
    seed: int = 0  # Sets all seeds
    eval_freq: int = int(5e3)  # How often we evaluate
    n_episodes: int = 10  # Episodes of an evaluation
    max_timesteps: int = int(1e6)  # Updates
    checkpoints_path: Optional[str] = None  # Where to save
    load_model: str = ""
    # Learning
    buffer_size: int = 2_000_000  # Size of the buffer
    batch_size: int = 256
    learning_rate: float = 1e-3
    normalize: bool = True  # Normalise observations
    clip: float = np.inf
    policy_freq: int = 2
    # Wandb logging
    project: str = "CORL"
    group: str = "D4RL"
    name: str = "Small"

    def __post_init__(self):
        self.name = f"{self.name}-{self.env}-{str(uuid.uuid4())[:8]}"
        if self.checkpoints_path is not None:
            self.checkpoints_path = os.path.join(self.checkpoints_path, self.name)


def network(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, 16), nn.ReLU(), nn.Linear(16, outputs))


@torch.no_grad()
def evaluate(env: gym.Env, actor: nn.Module, episodes: int, seed: int) -> np.ndarray:
    env.seed(seed)
    returns = []
    for _ in range(episodes):
        state, done, total = env.reset(), False, 0.0
        while not done:
            action = actor(torch.as_tensor(state[None], dtype=torch.float32)).numpy().flatten()
            state, reward, done, _ = env.step(action)
            total += reward
        returns.append(total)
    return np.asarray(returns)


@pyrallis.wrap()
def train(config: TrainConfig):
    env = gym.make(config.env)
    dataset = d4rl.qlearning_dataset(env)
    mean, std = dataset["observations"].mean(0), dataset["observations"].std(0) + 1e-3
    if config.normalize:
        dataset["observations"] = (dataset["observations"] - mean) / std
        dataset["next_observations"] = (dataset["next_observations"] - mean) / std
        env = gym.wrappers.TransformObservation(env, lambda state: (state - mean) / std)
    if len(dataset["rewards"]) > config.buffer_size:
        raise ValueError("Replay buffer is smaller than the dataset you are trying to load!")
    if config.checkpoints_path is not None:
        os.makedirs(config.checkpoints_path, exist_ok=True)
        with open(os.path.join(config.checkpoints_path, "config.yaml"), "w") as file:
            pyrallis.dump(config, file)
    env.seed(config.seed)
    env.action_space.seed(config.seed)
    np.random.seed(config.seed)
    random.seed(config.seed)
    torch.manual_seed(config.seed)
    actor = network(dataset["observations"].shape[1], dataset["actions"].shape[1]).to(config.device)
    critic = network(dataset["observations"].shape[1], 1).to(config.device)
    actor_optimizer = torch.optim.Adam(actor.parameters(), lr=config.learning_rate)
    critic_optimizer = torch.optim.Adam(critic.parameters(), lr=config.learning_rate)
    data = {name: torch.as_tensor(column, dtype=torch.float32) for name, column in dataset.items()}
    wandb.init(config=asdict(config), project=config.project, name=config.name)
    wandb.run.save()
    for t in range(int(config.max_timesteps)):
        batch = np.random.randint(0, len(data["rewards"]), size=config.batch_size)
        with torch.no_grad():
            following = critic(data["next_observations"][batch])[:, 0] * (1 - data["terminals"][batch])
        wanted = data["rewards"][batch] + 0.9 * following
        critic_loss = nn.functional.mse_loss(critic(data["observations"][batch])[:, 0], wanted)
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()
        log = {"critic_loss": critic_loss.item()}
        if t % config.policy_freq == 0:
            actor_loss = nn.functional.mse_loss(actor(data["observations"][batch]), data["actions"][batch])
            actor_optimizer.zero_grad()
            actor_loss.backward()
            actor_optimizer.step()
            log["actor_loss"] = actor_loss.item()
        wandb.log(log, step=t + 1)
        if (t + 1) % config.eval_freq == 0:
            scores = evaluate(env, actor, config.n_episodes, config.seed)
            score = env.get_normalized_score(scores.mean()) * 100.0
            print(f"Evaluation: {scores.mean():.3f}, D4RL score: {score:.3f}")
            if config.checkpoints_path is not None:
                state = {"actor": actor.state_dict(), "critic": critic.state_dict()}
                torch.save(state, os.path.join(config.checkpoints_path, f"checkpoint_{t}.pt"))
            wandb.log({"d4rl_normalized_score": score}, step=t + 1)


if __name__ == "__main__":
    train()
