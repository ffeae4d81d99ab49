"""How a run option is declared, once: API, command line, form and reference are made from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field


def option(
    default: Any,
    description: str,
    *,
    title: str | None = None,
    cli: Sequence[str] = (),
    scripts: bool = False,
    needs: str = "",
    otherwise: Any = ...,
    scale: str = "",
    unit: str = "",
    ge: int | None = None,
    le: int | None = None,
    max_length: int | None = None,
) -> Any:
    """A field that the API, `rl-lab train`, the form and the reference offer.

    `title`: the label in the form and in a run's settings. `cli`: names on the command line, if not `--field-name`.
    `scripts`: also an option of `rl-lab run`. `needs`: the capability of runners it applies to; runs of the others get
    the value `otherwise`. `scale`: "log" for a slider that moves by factors. `unit`: "duration" for seconds that are
    typed as 2h30m.
    """
    hints = {
        "x-option": True,
        "x-cli": list(cli),
        "x-scripts": scripts,
        "x-needs": needs,
        "x-scale": scale,
        "x-unit": unit,
    }
    extra: dict[str, Any] = {name: value for name, value in hints.items() if value}
    if otherwise is not ...:
        extra["x-otherwise"] = otherwise
    return Field(
        default=default,
        title=title,
        description=description,
        ge=ge,
        le=le,
        max_length=max_length,
        json_schema_extra=extra,
    )
