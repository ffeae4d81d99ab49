"""The runner `offline`: learns from a dataset, without the environment. `runner` is its spec, `learner` trains."""

from rl_lab.runners.offline.runner import OfflineRunner

__all__ = ["OfflineRunner"]
