"""Which folders were written by one training: decided by values, names and times, never by a guess. Pure."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import PurePath
from typing import NamedTuple

from rl_lab.analysis.adoption.clues import Clue, equal_points, last_by_step, rolling_means
from rl_lab.core.words.amounts import plural

MAIN_ROLES = ("results", "events", "monitor", "progress", "mlflow", "wandb", "evaluations")
"""The folder with the first of these gives the run its name."""
ALONE = frozenset({"trackio", "neptune"})
"""A file of several runs is not part of a run."""
LEVELS = 4
"""How far above each of two folders the one that holds both may be."""
SAME_START_S = 120.0
"""One training opens its files within this time."""
EVALUATED_LATE_S = 600.0
FINGERPRINTS = 40
"""Points of a curve that are looked up among those of other folders."""
COMMON = 24
"""A value at a step that more folders share is none of one training."""
NEAREST = 128
"""Folders that began at about the same time and are compared: on each side."""
ENOUGH = 3
"""Equal values that need no other evidence."""


class Match(NamedTuple):
    """Two folders of one training."""

    one: int
    other: int
    evidence: str
    nearness: tuple[int, float]
    """Shared part of their paths, then how close in time; a greater one is the better match."""


@dataclass
class TrainingFolders:
    """Folders of one training."""

    main: Clue
    joined: dict[str, str] = field(default_factory=dict)
    """Path of each other folder → the evidence."""


def find_groups(clues: Sequence[Clue]) -> list[TrainingFolders]:
    """Every folder in exactly one group; most groups have one."""
    members = {place: [place] for place in range(len(clues))}
    evidence: dict[int, list[str]] = defaultdict(list)
    matches = _without_rivals(clues, _matches(clues))
    for match in sorted(matches, key=lambda found: found.nearness, reverse=True):
        one, other = members[match.one], members[match.other]
        if one is other or not _are_apart(clues, one, other):
            continue
        for place in (match.one, match.other):
            evidence[place].append(match.evidence)
        one.extend(other)
        members.update(dict.fromkeys(other, one))
    groups = {id(group): group for group in members.values()}
    return [_group(clues, group, evidence) for group in groups.values()]


def may_join(one: Clue, other: Clue) -> bool:
    """By names and kinds of files alone."""
    if (
        (one.is_known and other.is_known)
        or one.roles & other.roles
        or (one.roles | other.roles) & ALONE
        or _levels_above(one.path, other.path) > LEVELS
    ):
        return False
    mine, theirs = one.facts, other.facts
    return (
        _agree(_plain(mine.env_id), _plain(theirs.env_id))
        and _agree(mine.algorithm, theirs.algorithm)
        and (mine.seed is None or theirs.seed is None or mine.seed == theirs.seed)
    )


def evidence_for(one: Clue, other: Clue) -> str | None:
    """Why both are one training; None when nothing shows it, or something contradicts it."""
    if not may_join(one, other):
        return None
    gap_s = _start_gap(one, other)
    compared = _compare(one, other)
    if compared:
        return _same_values(compared, gap_s)
    for episodes, logged in ((one, other), (other, one)):
        if episodes.episodes and "mean_reward" in logged.curves:
            return _same_episodes(episodes, logged, gap_s)
        if episodes.episodes and logged.roles == {"evaluations"}:
            return _evaluated_meanwhile(episodes, logged)
    return None


def _compare(one: Clue, other: Clue) -> dict[str, tuple[int, int]]:
    """Metric → at how many steps both folders have a value, and at how many it is the same."""
    mine, theirs = one.telling_curves(), other.telling_curves()
    compared = {name: equal_points(mine[name], theirs[name]) for name in sorted(mine.keys() & theirs.keys())}
    return {name: counts for name, counts in compared.items() if counts[0]}


def _same_values(compared: Mapping[str, tuple[int, int]], gap_s: float | None) -> str | None:
    """One metric that differs is enough to keep the folders apart."""
    if any(same < both * 0.9 for both, same in compared.values()):
        return None
    best = max(compared, key=lambda name: (compared[name][1], name.endswith("reward")))
    same = compared[best][1]
    if same < ENOUGH and (gap_s is None or gap_s > SAME_START_S):
        return None
    return f"the same values of {best} at {plural(same, 'step')}"


def _same_episodes(episodes: Clue, logged: Clue, gap_s: float | None) -> str | None:
    """Whether each logged mean is that of the episodes up to there."""
    values = last_by_step(logged.curves["mean_reward"])
    steps = sorted(values)
    if not all(_is_close(values, rolling_means(episodes, steps[:1]))):
        return None
    means = rolling_means(episodes, steps)
    same = sum(_is_close(values, means))
    if not same or same < len(means) * 0.9:
        return None
    if same < ENOUGH and (gap_s is None or gap_s > SAME_START_S):
        return None
    return f"its mean rewards are those of the episodes at {plural(same, 'step')}"


def _is_close(values: Mapping[int, float], means: Mapping[int, float]) -> list[bool]:
    return [math.isclose(values[step], mean, rel_tol=1e-4, abs_tol=1e-4) for step, mean in means.items()]


def _evaluated_meanwhile(episodes: Clue, evaluations: Clue) -> str | None:
    """Without a log of both: folders side by side, and the evaluations made while the episodes were played."""
    began, last = episodes.facts.began, max((e.at for part in episodes.episodes for e in part), default=0.0)
    steps = evaluations.curves.get("eval/mean_reward")
    played = sum(e.length for part in episodes.episodes for e in part)
    if began is None or steps is None or not len(steps) or not episodes.is_whole:
        return None
    is_meanwhile = began <= evaluations.written_at <= last + EVALUATED_LATE_S
    is_next = _levels_above(episodes.path, evaluations.path) <= 1
    if not (is_meanwhile and is_next and int(steps.steps.max()) <= played * 1.1 + 1000):
        return None
    return "next to each other, and evaluated while these episodes were played"


def _matches(clues: Sequence[Clue]) -> Iterator[Match]:
    for one, other in sorted({*_sharing_a_value(clues), *_of_one_time(clues), *_side_by_side(clues)}):
        found = evidence_for(clues[one], clues[other])
        if found is not None:
            yield Match(one, other, found, _nearness(clues[one], clues[other]))


def _sharing_a_value(clues: Sequence[Clue]) -> Iterator[tuple[int, int]]:
    holders: dict[tuple[str, int, float], set[int]] = defaultdict(set)
    for place, clue in enumerate(clues):
        for name, found in clue.telling_curves().items():
            for step, value in list(last_by_step(found).items())[:FINGERPRINTS]:
                holders[name, step, value].add(place)
    for places in holders.values():
        if 1 < len(places) <= COMMON:
            yield from combinations(sorted(places), 2)


def _of_one_time(clues: Sequence[Clue]) -> Iterator[tuple[int, int]]:
    """Episodes and logs that began at about the same time; the nearest of them."""
    logs = sorted(
        (clue.facts.began or 0.0, place) for place, clue in enumerate(clues) if "mean_reward" in clue.curves
    )
    for place, clue in enumerate(clues):
        if not clue.episodes:
            continue
        middle = bisect_left(logs, (clue.facts.began or 0.0, -1))
        for _, other in logs[max(0, middle - NEAREST) : middle + NEAREST]:
            if other != place:
                yield min(place, other), max(place, other)


def _side_by_side(clues: Sequence[Clue]) -> Iterator[tuple[int, int]]:
    """Evaluations and the episodes in folders next to theirs."""
    below: dict[str, list[int]] = defaultdict(list)
    for place, clue in enumerate(clues):
        if clue.episodes:
            for folder in (clue.path, str(PurePath(clue.path).parent)):
                below[folder].append(place)
    for place, clue in enumerate(clues):
        if clue.roles == {"evaluations"}:
            for folder in (clue.path, str(PurePath(clue.path).parent)):
                for other in below[folder][:NEAREST]:
                    yield min(place, other), max(place, other)


def _without_rivals(clues: Sequence[Clue], matches: Iterator[Match]) -> list[Match]:
    """Leaves out a match when a folder of the same kind fits as well: nothing decides between them."""
    found = list(matches)
    of: dict[int, list[Match]] = defaultdict(list)
    for match in found:
        of[match.one].append(match)
        of[match.other].append(match)
    return [match for match in found if not _has_rival(clues, match, of)]


def _has_rival(clues: Sequence[Clue], match: Match, of: dict[int, list[Match]]) -> bool:
    for place, partner in ((match.one, match.other), (match.other, match.one)):
        for rival in of[place]:
            other = rival.other if rival.one == place else rival.one
            if (
                other != partner
                and clues[other].roles & clues[partner].roles
                and rival.nearness >= match.nearness
            ):
                return True
    return False


def _group(clues: Sequence[Clue], places: list[int], evidence: dict[int, list[str]]) -> TrainingFolders:
    main = min(places, key=lambda place: (_rank(clues[place]), clues[place].path))
    joined = {clues[place].path: evidence[place][0] for place in sorted(places) if place != main}
    return TrainingFolders(clues[main], joined)


def _rank(clue: Clue) -> int:
    if clue.is_known:
        return -2
    if clue.facts.args and "monitor" in clue.roles:
        return -1  # RL Zoo's folder, with its configuration
    return min((MAIN_ROLES.index(role) for role in clue.roles if role in MAIN_ROLES), default=len(MAIN_ROLES))


def _are_apart(clues: Sequence[Clue], one: list[int], other: list[int]) -> bool:
    roles = [set().union(*(clues[place].roles for place in places)) for places in (one, other)]
    known = sum(clues[place].is_known for place in (*one, *other))
    return known <= 1 and not roles[0] & roles[1]


def _nearness(one: Clue, other: Clue) -> tuple[int, float]:
    gap_s = _start_gap(one, other)
    if gap_s is None:
        gap_s = abs(one.written_at - other.written_at)
    return _shared(one.path, other.path), -gap_s


def _start_gap(one: Clue, other: Clue) -> float | None:
    if one.facts.began is None or other.facts.began is None:
        return None
    return abs(one.facts.began - other.facts.began)


def _shared(one: str, other: str) -> int:
    pairs = zip(PurePath(one).parts, PurePath(other).parts, strict=False)
    return next(
        (count for count, (a, b) in enumerate(pairs) if a != b),
        min(len(PurePath(one).parts), len(PurePath(other).parts)),
    )


def _levels_above(one: str, other: str) -> int:
    return max(len(PurePath(one).parts), len(PurePath(other).parts)) - _shared(one, other)


def _plain(env_id: str) -> str:
    """RL Zoo writes ALE/Pong-v5 as ALE-Pong-v5 in names of folders."""
    return env_id.replace("/", "-").lower()


def _agree(one: str, other: str) -> bool:
    return not one or not other or one == other
