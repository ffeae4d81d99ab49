"""The scripts of the user's CleanRL checkout as algorithms: parsed as text, run unmodified."""

from rl_lab.runners.cleanrl.runner import CleanRlRunner

__all__ = ["CleanRlRunner"]
