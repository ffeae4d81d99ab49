"""Stable-Baselines3 as a runner. Importing this package imports no library."""

from rl_lab.runners.sb3.runner import Sb3Runner

__all__ = ["Sb3Runner"]
