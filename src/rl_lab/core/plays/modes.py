"""Who acts in a play."""

from __future__ import annotations

from typing import Literal

Mode = Literal["human", "hybrid", "agent"]
"""A person; a policy unless the person holds something; a policy."""
Who = Literal["person", "agent"]
