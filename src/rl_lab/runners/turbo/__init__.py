"""Turbo: the runner with the lab's own learners. Importing this package imports no library."""

from rl_lab.runners.turbo.runner import TurboRunner

__all__ = ["TurboRunner"]
