"""`--wrapper NAME[:NAME=VALUE,…]`: wrappers of the environment, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from rl_lab.cli.values import parse_pairs

OPTION = "--wrapper"

EnvArgs = Annotated[
    list[str] | None,
    typer.Option("--env-arg", metavar="NAME=VALUE", help="An argument of the environment; repeatable."),
]
Wrappers = Annotated[
    list[str] | None,
    typer.Option(
        OPTION,
        metavar="NAME[:NAME=VALUE,…]",
        help="A wrapper of the environment, such as frame_stack:frames=4; repeatable, the first one is next to the "
        "environment. `rl-lab wrappers` lists them.",
        show_default=False,
    ),
]


def environment_arguments(env_arg: Sequence[str] | None, wrapper: Sequence[str] | None) -> dict[str, Any]:
    """The arguments of an environment, its wrappers among them."""
    from rl_lab.core.own_environments import WRAPPERS

    given = parse_pairs(env_arg or (), "--env-arg")
    return {**given, WRAPPERS: [_read(one) for one in wrapper]} if wrapper else given


def _read(written: str) -> dict[str, Any]:
    name, _, rest = written.partition(":")
    return {"id": name.strip(), **parse_pairs(_pairs(rest), OPTION)}


def _pairs(text: str) -> list[str]:
    """`mean=[1,2],deviation=[3,4]` has commas inside its lists."""
    found: list[str] = []
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            found.append(text[start:place])
            start = place + 1
    return [part for part in [*found, text[start:]] if part.strip()]
