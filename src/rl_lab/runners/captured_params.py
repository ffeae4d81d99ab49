"""Parameters that the capture layer and the sandbox use; scripts of a checkout have them in addition to their own."""

from __future__ import annotations

from typing import Literal

from rl_lab.core.runners import Params, param


class CapturedParams(Params):
    threads: int = param(
        1,
        "Number of CPU threads for torch; more than one helps only large networks and slows down other runs.",
        group="Machine",
        advanced=True,
        ge=1,
        le=256,
    )
    network: bool = param(False, "Allow network access.", group="Permissions", advanced=True)
    wandb: Literal["stand-in", "offline", "online"] = param(
        "stand-in",
        "Handle W&B calls by the lab, without an account (stand-in), or by the real package.",
        group="Tracking",
        advanced=True,
    )
