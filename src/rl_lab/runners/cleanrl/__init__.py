"""The scripts of the user's CleanRL checkout as algorithms: read as text, run as they are."""

from rl_lab.runners.cleanrl.runner import CleanRlRunner

__all__ = ["CleanRlRunner"]
