"""Environments that a user wrote: `own:grid-world-v2` is version 2 of the code saved as “grid world”.

The number is that of the saved version, so an id always means the same contents. Standard library only: the guardian
and captured scripts read this file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

PREFIX = "own:"
OWN_FOLDER = "environments"
"""In the lab's home; in it <name>/v<n>/."""
MAIN_FILE = "environment.py"
"""Of the files of an environment: the one with its class."""
OWN_ENVIRONMENTS = "RL_LAB_OWN_ENVIRONMENTS"
"""The variable by which a confined process knows the folder of all of them."""
APPROVED_VERSIONS = "RL_LAB_APPROVED_VERSIONS"
"""The variable with the versions that a process may execute where Landlock does not protect files from them, joined by
spaces: grid-v2 slower-v1. A process without it may execute all of them."""
WRAPPERS, CUSTOM = "wrappers", "custom"
"""The argument of an environment that lists its wrappers, and the one that is code of the user. Here, because reading
`core/wrappers.py` takes longer than starting a small process may."""
MOST_DIGITS = 9
"""Of the number of a version; Python refuses to read numbers of some thousand digits."""
UNCHECKED_RETURNS = "Returns are what the environment's own code reports; the lab cannot check them."
WRITTEN = re.compile(rf"own:(?P<slug>[A-Za-z0-9][A-Za-z0-9._-]*)-v(?P<version>\d{{1,{MOST_DIGITS}}})")


class OwnEnvironment(NamedTuple):
    slug: str
    """The name of the saved code, with - for spaces; also the name of its folder."""
    version: int


def slug_of(name: str) -> str:
    return name.strip().replace(" ", "-")


def own_env_id(name: str, version: int) -> str:
    return f"{PREFIX}{slug_of(name)}-v{version}"


def read_own_id(env_id: str) -> OwnEnvironment | None:
    """None for any other environment."""
    found = WRITTEN.fullmatch(env_id)
    return OwnEnvironment(found["slug"], int(found["version"])) if found else None


def read_code_name(written: str) -> OwnEnvironment | None:
    """NAME@vN, as a custom wrapper names its code; None for anything else."""
    name, _, version = written.partition("@v")
    is_number = version.isdecimal() and len(version) <= MOST_DIGITS
    return read_own_id(own_env_id(name, int(version))) if is_number else None


def version_name(own: OwnEnvironment) -> str:
    return f"{own.slug}-v{own.version}"


def is_own(env_id: str) -> bool:
    return env_id.startswith(PREFIX)


def executes_own_code(env_id: str, env_kwargs: Mapping[str, Any]) -> bool:
    """Whether creating this environment executes code that the user wrote in the lab: its own, or a wrapper's."""
    wrappers = env_kwargs.get(WRAPPERS)
    chosen = wrappers if isinstance(wrappers, list) else []
    return is_own(env_id) or any(isinstance(one, dict) and one.get("id") == CUSTOM for one in chosen)


def returns_note(env_id: str, env_kwargs: Mapping[str, Any]) -> str:
    """Why the lab cannot check returns of this environment; empty where it measures them itself."""
    return UNCHECKED_RETURNS if executes_own_code(env_id, env_kwargs) else ""


def own_codes_of(env_id: str, env_kwargs: Mapping[str, Any]) -> list[OwnEnvironment]:
    """The versions that creating this environment executes."""
    chosen = env_kwargs.get(WRAPPERS)
    codes = [one.get("code") for one in chosen if isinstance(one, dict)] if isinstance(chosen, list) else []
    named = [read_code_name(code) for code in codes if isinstance(code, str)]
    return list(dict.fromkeys(one for one in (read_own_id(env_id), *named) if one is not None))
