"""Which series of which file is stored under a name: each metric once, and where it came from. Pure."""

from __future__ import annotations

from rl_lab.orchestrator.adoption.reader.bookmarks import Memory
from rl_lab.orchestrator.adoption.reader.tags import RAY_PREFIX, Meaning


def claim(memory: Memory, role: str, file: str, tag: str, meaning: Meaning) -> str | None:
    """The name this series is stored under; None when a file of another role holds the same metric.

    Two series of one role with the same meaning stay apart: the second keeps its own name.
    """
    for name in dict.fromkeys((meaning.name, meaning.tag, f"{meaning.tag} (2)")):
        holder = memory.claimed.get(name)
        if holder is None:
            memory.claimed[name] = role
            memory.origins[name] = (file, tag)
            return name
        known = memory.origins.setdefault(name, (file, tag))
        is_same = known[1].removeprefix(RAY_PREFIX) == meaning.tag
        if holder == role and is_same:
            return name
        if holder != role and (is_same or not meaning.is_guess):
            return None
    return None


def order_of(meaning: Meaning) -> int:
    """Within a file: first the series that have the lab's name, then known tags, then guesses."""
    return 0 if meaning.name == meaning.tag else 2 if meaning.is_guess else 1
