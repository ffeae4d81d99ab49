"""Small pieces of sentences."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """ "1 episode", "5 episodes", "12,000 steps" """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
