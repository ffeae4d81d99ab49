"""Which array of a file is what, by its name: D4RL, OGBench and tables call the same things differently."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rl_lab.core.errors import InvalidInput

ROLES = {
    "observations": ("observations", "observation", "obs", "states", "state"),
    "following": (
        "next_observations",
        "next_observation",
        "next_obs",
        "observations_next",
        "obs_next",
        "next_states",
        "next_state",
    ),
    "actions": ("actions", "action", "act"),
    "rewards": ("rewards", "reward", "rew"),
    "terminated": ("terminals", "terminations", "terminated", "termination", "terminal"),
    "truncated": ("timeouts", "truncations", "truncated", "truncation", "timeout"),
    "done": ("dones", "done"),
    "masks": ("masks",),
    "valids": ("valids",),
    "episodes": ("episode", "episode_id", "episodes", "episode_ids"),
    "seeds": ("seed", "episode_seed"),
    "who": ("who",),
}
"""Names of each role, the usual one first."""
NESTED = ("observations", "following", "actions")
NEEDED = (*NESTED, "rewards", "terminated", "truncated", "done")
"""Roles without which a file means something else: a column of one that cannot be read is not passed over."""
INFO_NAMES = ("infos", "info")
_NUMBERED = re.compile(r"(?P<name>.+?)(?P<mark>[_.])(?P<number>\d+)")


@dataclass
class FoundColumns:
    """The arrays of a file by what they are."""

    nested: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """For observations, following and actions: arrays by the part of a dict space ("" for a plain one); several
    names are the numbers of one row, in this order."""
    single: dict[str, str] = field(default_factory=dict)
    """For every other role."""
    infos: dict[str, str] = field(default_factory=dict)
    """By key, safe as a part of a file name."""
    unused: list[str] = field(default_factory=list)

    @property
    def has_ends(self) -> bool:
        return bool(self.single.keys() & {"terminated", "truncated", "done", "episodes", "valids"})

    @property
    def is_ogbench(self) -> bool:
        """Its `terminals` mark the last row of a trajectory; only `masks` says that the task was solved."""
        if self.single.keys() & {"masks", "valids"}:
            return True
        return "terminated" in self.single and not self.single.keys() & {"rewards", "truncated", "done"}


def find_columns(
    names: Iterable[str], unreadable: Mapping[str, str] | None = None, *, has_parts: bool = False
) -> FoundColumns:
    """Sorts the names of a file; InvalidInput when observations or actions are missing.

    `unreadable`: what else the file holds, and why it is no column: "holds no numbers".
    `has_parts`: the lab wrote the file, so “observation.0” is a part of a tuple, not the first number of a row.
    """
    found = FoundColumns()
    known = {name: role for role, names_ in ROLES.items() for name in names_}
    listed = list(names)
    for name in listed:
        _sort_in(found, name, known, has_parts=has_parts)
    _order_numbered(found)
    for name, reason in (unreadable or {}).items():
        _refuse_needed(found, name, reason, known)
    for role in ("observations", "actions"):
        if role not in found.nested:
            shown = ", ".join(listed[:20]) or "nothing"
            raise InvalidInput(
                f"The file has no {role}: it holds {shown}.",
                next_step=f"Call the array or column “{ROLES[role][0]}”, or import another file.",
            )
    return found


def _refuse_needed(found: FoundColumns, name: str, reason: str, known: dict[str, str]) -> None:
    """InvalidInput when the column that cannot be read has a role that no other one has, or is one of its numbers."""
    alone = FoundColumns()
    _sort_in(alone, name, known, has_parts=False)
    is_part = bool(alone.nested) and name.lower() not in known
    for role in (alone.nested | alone.single).keys() & set(NEEDED):
        if is_part or role not in found.nested | found.single:
            raise InvalidInput(
                f"“{name}” {reason}.",
                next_step="Correct it, or take it out of the file if it is not needed.",
            )


def safe_key(name: str) -> str:
    """A name of the file as a part of a column's name."""
    return re.sub(r"[^A-Za-z0-9_%-]", "_", name) or "_"


def _sort_in(found: FoundColumns, name: str, known: dict[str, str], *, has_parts: bool) -> None:
    lower = name.lower()
    top, _, rest = re.sub(r"[/.]", "/", lower).partition("/")
    numbered = _NUMBERED.fullmatch(lower)
    is_part = has_parts and numbered is not None and numbered["mark"] == "."
    if lower in known:
        _assign(found, known[lower], "", name)
    elif numbered and not is_part and known.get(numbered["name"]) in NESTED:
        _assign(found, known[numbered["name"]], "", name)
    elif rest and known.get(top) in NESTED:
        _assign(found, known[top], ".".join(map(safe_key, re.split(r"[/.]", name)[1:])), name)
    elif rest and top in INFO_NAMES:
        found.infos.setdefault(".".join(map(safe_key, re.split(r"[/.]", name)[1:])), name)
    else:
        found.unused.append(name)


def _assign(found: FoundColumns, role: str, part: str, name: str) -> None:
    if role in NESTED:
        found.nested.setdefault(role, {}).setdefault(part, []).append(name)
    elif role in found.single:
        found.unused.append(name)
    else:
        found.single[role] = name


def _order_numbered(found: FoundColumns) -> None:
    for role, parts in found.nested.items():
        for part, names in parts.items():
            whole = [name for name in names if name.lower() in ROLES[role]]
            if whole:
                found.unused += [name for name in names if name != whole[0]]
                parts[part] = whole[:1]
            elif not part:
                parts[part] = sorted(names, key=lambda name: int(re.split(r"[_.]", name)[-1]))
