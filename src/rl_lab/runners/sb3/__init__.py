"""The Stable-Baselines3 runner. Importing this package does not import the library."""

from rl_lab.runners.sb3.runner import Sb3Runner

__all__ = ["Sb3Runner"]
