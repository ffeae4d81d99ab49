"""The numbers of evaluation code that a run has, each with the protocol that measured it."""

from __future__ import annotations

from typing import Any

from rl_lab.cli.output import number

DIGITS = 3


def number_texts(summary: dict[str, Any]) -> list[str]:
    """ "soft_landings 0.812 (nightly@v2)"; one by another version has a line of its own."""
    cited = summary["cited"]
    return [
        f"{plain} {number(value, DIGITS)} ({cited.get(name, 'protocol unknown')})"
        for name, value in summary["numbers"].items()
        if (plain := name.partition("@")[0]) == name or cited.get(plain) != cited.get(name)
    ]
