"""Which recorded episodes a bench scores: the same number of each run, spread evenly over its time. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random


def choose_episodes(recorded: Mapping[str, Sequence[int]], limit: int, seed: int) -> dict[str, list[int]]:
    """By run: some of its recorded episodes, which are given in their order."""
    generator = Random(seed)
    shares = share_out(limit, {run_id: len(numbers) for run_id, numbers in recorded.items()})
    return {
        run_id: spread_over(numbers, shares[run_id], generator)
        for run_id, numbers in recorded.items()
        if shares[run_id]
    }


def find_others(arguments: Mapping[str, str], sizes: Mapping[str, int]) -> list[str]:
    """Runs with other arguments than those that most episodes have; of two equally frequent ones the first counts."""
    counts: dict[str, int] = {}
    for run_id, given in arguments.items():
        counts[given] = counts.get(given, 0) + sizes[run_id]
    most = max(counts, key=lambda given: counts[given], default=None)
    return [run_id for run_id, given in arguments.items() if given != most]


def share_out(limit: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """The same number for each run; what small ones leave over goes to the larger ones."""
    shares, left, waiting = dict.fromkeys(sizes, 0), limit, len(sizes)
    # From the smallest on, so that what it leaves over is known to those that come after it.
    for run_id in sorted(sizes, key=lambda one: sizes[one]):
        shares[run_id] = min(sizes[run_id], -(-left // waiting))
        left -= shares[run_id]
        waiting -= 1
    return shares


def spread_over(numbers: Sequence[int], count: int, generator: Random) -> list[int]:
    """The newest, the first, and one of each of equal stretches between them."""
    if count >= len(numbers):
        return list(numbers)
    if count <= 2:
        return [numbers[0], numbers[-1]][-count:] if count else []
    between = numbers[1:-1]
    stretches = count - 2
    edges = [place * len(between) // stretches for place in range(stretches + 1)]
    inner = [between[generator.randrange(edges[i], edges[i + 1])] for i in range(stretches)]
    return [numbers[0], *inner, numbers[-1]]
