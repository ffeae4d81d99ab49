"""Text in a CSV file: a spreadsheet runs a cell that begins like a formula, so such a text gets a leading apostrophe.

Only for texts: a number may begin with a minus sign. `web/src/charts/files/csv.ts` has the same rule.
"""

from __future__ import annotations

import re

_FORMULA = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")


def defused(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def as_written(text: str) -> str:
    """What `defused` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text
