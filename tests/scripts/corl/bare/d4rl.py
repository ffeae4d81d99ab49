"""Made by hand for the tests: the transitions of a dataset, episode by episode."""

import gym
import numpy as np


def column(name):
    return np.load(gym.FOLDER / f"{name}.npy")


def qlearning_dataset(_env):
    seen, following, start = [], [], 0
    rows = column("observations")
    for number, end in enumerate(column("episode_ends")):
        of_episode = rows[start + number : end + number + 1]
        seen.append(of_episode[:-1])
        following.append(of_episode[1:])
        start = end
    return {
        "observations": np.concatenate(seen).astype(np.float32),
        "next_observations": np.concatenate(following).astype(np.float32),
        "actions": column("actions").astype(np.float32),
        "rewards": column("rewards").astype(np.float32),
        "terminals": column("terminations"),
    }
