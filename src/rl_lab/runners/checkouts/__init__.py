"""What runners of a user's checkout share: reading its folder of scripts, and the spec made from them.

May import `runners/foreign.py`, `runners/script_text/` and core; the runners themselves (CleanRL, CORL) import this.
"""

from rl_lab.runners.checkouts.runner import CheckoutRunner

__all__ = ["CheckoutRunner"]
