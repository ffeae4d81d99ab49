"""The lab's name for a series of another tool's file: by its whole tag, or else by the tag's last part. Pure."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from rl_lab.analysis.adoption.ray_files import is_bookkeeping
from rl_lab.capture.metric_names import canonical_name
from rl_lab.core.protocol.metric_names import METRIC_NAMES, NEGATED, REWARD_NAMES, SB3_NAMES

RAY_PREFIX = "ray/tune/"
"""Ray writes each of its results to TensorBoard, too, with this in front."""


class Meaning(NamedTuple):
    """What a tag means in the lab."""

    tag: str
    """Without what the tool puts in front of all its tags."""
    name: str
    """The lab's name; the tag itself when the lab has none."""
    sign: float = 1.0
    is_guess: bool = False
    """Known by the last part of its tag only: another series may have a better claim to the name."""


def meaning_of(tag: str, siblings: Collection[str], *, is_ray: bool) -> Meaning | None:
    """`siblings`: all tags of the file. None for what is no metric: process ids, dates and counters of Ray."""
    is_ray = is_ray or tag.startswith(RAY_PREFIX)
    plain = tag.removeprefix(RAY_PREFIX)
    if is_ray and is_bookkeeping(plain):
        return None
    if plain in NEGATED and not SB3_NAMES.isdisjoint(siblings):
        return Meaning(plain, NEGATED[plain], -1.0)
    known = METRIC_NAMES.get(plain) or REWARD_NAMES.get(plain.lower())
    if known is not None:
        return Meaning(plain, known)
    found, sign = canonical_name(plain, has_episodes=True)
    # A loss with the sign turned round is not the quantity it contains: it may be multiplied by a coefficient.
    if found is None or sign < 0:
        return Meaning(plain, plain)
    return Meaning(plain, found, is_guess=True)


def beside_episodes(meaning: Meaning) -> Meaning:
    """Where episodes are logged, they give `reward`; another reward keeps its own name."""
    if meaning.name != "reward":
        return meaning
    return meaning._replace(name="reward (logged)" if meaning.tag == "reward" else meaning.tag)
