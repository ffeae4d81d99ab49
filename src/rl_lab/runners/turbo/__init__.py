"""Turbo, the lab's own learners, as a runner. Importing this package imports no library."""

from rl_lab.runners.turbo.runner import TurboRunner

__all__ = ["TurboRunner"]
