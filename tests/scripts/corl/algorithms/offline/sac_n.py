# A small learner of our own, in the style of CORL: epochs, metrics without a step, episodes from `get_dataset`.
import uuid
from dataclasses import asdict, dataclass
from typing import Optional, Tuple

import d4rl  # noqa
import gym
import numpy as np
import pyrallis
import torch
import torch.nn as nn
import wandb


@dataclass
class TrainConfig:
    # wandb params
    project: str = "CORL"
    name: str = "Epochs"
    # training params
    env_name: str = "halfcheetah-medium-v2"
    max_action: float = 1.0
    target_returns: Tuple[float, ...] = (12000.0, 6000.0)
    num_epochs: int = 3000
    num_updates_on_epoch: int = 1000
    eval_episodes: int = 10
    eval_every: int = 5
    log_every: int = 10
    checkpoints_path: Optional[str] = None
    train_seed: int = 10
    device: str = "cpu"

    def __post_init__(self):
        self.name = f"{self.name}-{self.env_name}-{str(uuid.uuid4())[:8]}"


@pyrallis.wrap()
def train(config: TrainConfig):
    torch.manual_seed(config.train_seed)
    wandb.init(config=asdict(config))
    env = gym.make(config.env_name)
    data = env.get_dataset()
    ends = np.flatnonzero(data["terminals"] | data["timeouts"])
    print(f"{len(ends)} episodes, largest action {config.max_action}, wanted {config.target_returns}")
    actor = nn.Linear(env.observation_space.shape[0], env.action_space.shape[0])
    optimizer = torch.optim.SGD(actor.parameters(), lr=0.01)
    seen, done_there = torch.as_tensor(data["observations"]), torch.as_tensor(data["actions"])
    made = 0
    for epoch in range(config.num_epochs):
        for _ in range(config.num_updates_on_epoch):
            loss = nn.functional.mse_loss(actor(seen) * config.max_action, done_there)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if made % config.log_every == 0:
                wandb.log({"epoch": epoch, "actor_loss": loss.item()})
            made += 1
    wandb.finish()


if __name__ == "__main__":
    train()
