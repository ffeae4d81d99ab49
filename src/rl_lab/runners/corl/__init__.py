"""The scripts of the user's CORL checkout as algorithms that learn from a dataset: parsed as text, run unmodified."""

from rl_lab.runners.corl.runner import CorlRunner

__all__ = ["CorlRunner"]
