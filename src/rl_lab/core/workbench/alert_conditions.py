"""Conditions of alerts as a person types them: `return >= 475`, `loss is nan`, `ended failed`."""

from __future__ import annotations

import re
from typing import NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.core.run_query import parse_number
from rl_lab.core.runs import FINAL, RunStatus
from rl_lab.core.workbench.alerts import ENDS, AlertComparison


class WrittenCondition(NamedTuple):
    expression: str
    comparison: AlertComparison
    value: float | None = None
    statuses: tuple[RunStatus, ...] = ()


_FORMS: tuple[tuple[AlertComparison, re.Pattern[str]], ...] = (
    ("at_least", re.compile(r"(?P<x>[^<>=]+?)\s*(?:>=|≥)\s*(?P<value>[^<>=]+)")),
    ("at_most", re.compile(r"(?P<x>[^<>=]+?)\s*(?:<=|≤)\s*(?P<value>[^<>=]+)")),
    ("above", re.compile(r"(?P<x>[^<>=]+?)\s*>\s*(?P<value>[^<>=]+)")),
    ("below", re.compile(r"(?P<x>[^<>=]+?)\s*<\s*(?P<value>[^<>=]+)")),
    ("rises_by", re.compile(r"(?P<x>.+?)\s+rises\s+by\s+(?P<value>\S+)", re.I)),
    ("stalls_for", re.compile(r"(?P<x>.+?)\s+stalls\s+(?:for\s+)?(?P<value>\S+)(?:\s+steps)?", re.I)),
    ("not_a_number", re.compile(r"(?P<x>.+?)\s+is\s+(?:nan|not\s+a\s+number)", re.I)),
)
FORMS = "METRIC > 400, METRIC <= 0.1, METRIC rises by 10, METRIC stalls for 50k, METRIC is nan, ended, ended failed"


def read_condition(text: str) -> WrittenCondition:
    """A condition as it is written on the command line."""
    words = text.split()
    if words and words[0].lower() == "ended":
        return WrittenCondition("", "ended", None, tuple(_status(word) for word in words[1:] if word != "or"))
    for comparison, form in _FORMS:
        match = form.fullmatch(text.strip())
        if match is None:
            continue
        written = match.groupdict().get("value")
        value = parse_number(written.strip()) if written else None
        if written and value is None:
            raise InvalidInput.of_field("condition", f"“{written.strip()}” is not a number.")
        return WrittenCondition(match["x"].strip(), comparison, value)
    raise InvalidInput.of_field("condition", f"“{text}” is not a condition. Write one of: {FORMS}.")


def _status(word: str) -> RunStatus:
    found = next((end for end in FINAL if end == word.strip(",").lower()), None)
    if found is None:
        raise InvalidInput.of_field("condition", f"A run does not end as “{word}”.", list(ENDS))
    return found
