"""The licence of a package: its name, and its text with year and holder."""

from __future__ import annotations

from importlib.resources import files

from rl_lab.core.models.packages import LicenceId

NAMES: dict[LicenceId, str] = {
    "mit": "MIT License",
    "apache-2.0": "Apache License 2.0",
    "bsd-3-clause": "BSD 3-Clause License",
    "cc0-1.0": "CC0 1.0 Universal: public domain",
    "other": "all rights reserved",
}
NOBODY = "the author of this model"
"""The holder, where no author is set."""


def licence_text(licence: LicenceId, *, year: int, author: str) -> str:
    text = files("rl_lab.analysis.models.licences").joinpath(f"{licence}.txt").read_text("utf-8")
    return text.replace("{year}", str(year)).replace("{holder}", author or NOBODY)
