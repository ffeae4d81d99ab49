"""Times as people write them: "30m", "2h30m", "90s", "1:30:00"; and as they read them: "30 minutes", "2 h 30 min"."""

from __future__ import annotations

import re

from rl_lab.core.words.amounts import plural

HOW = "Write it as 30m, 2h30m, 90s or 1:30:00."
_PARTS = re.compile(
    r"(?:(?P<h>\d+(?:\.\d+)?)\s*h(?:ours?)?)?\s*"
    r"(?:(?P<m>\d+(?:\.\d+)?)\s*m(?:in(?:utes?)?)?)?\s*"
    r"(?:(?P<s>\d+(?:\.\d+)?)\s*s(?:ec(?:onds?)?)?)?"
)
_CLOCK = re.compile(r"(\d+):([0-5]\d):([0-5]\d)")


def parse_duration(text: str) -> int:
    """Whole seconds; ValueError with a sentence for anything that could mean two things or nothing."""
    written = text.strip().lower()
    clock = _CLOCK.fullmatch(written)
    if clock:
        hours, minutes, rest = map(int, clock.groups())
        return _at_least_one(hours * 3600 + minutes * 60 + rest, text)
    parts = _PARTS.fullmatch(written)
    if not written or parts is None:
        unclear = " It could be seconds, minutes or hours." if re.fullmatch(r"[\d.:]+", written) else ""
        raise ValueError(f"“{text}” is not a time.{unclear} {HOW}")
    given = {unit: float(value or 0) for unit, value in parts.groupdict().items()}
    return _at_least_one(round(given["h"] * 3600 + given["m"] * 60 + given["s"]), text)


def _at_least_one(seconds: int, text: str) -> int:
    if seconds < 1:
        raise ValueError(f"“{text}” is shorter than a second. {HOW}")
    return seconds


def spell_duration(seconds: int) -> str:
    """As typed on the command line: "30m", "2h30m", "1m30s"."""
    hours, minutes, rest = _split(seconds)
    return "".join(f"{n}{unit}" for n, unit in ((hours, "h"), (minutes, "m"), (rest, "s")) if n) or "0s"


def short_duration(seconds: int) -> str:
    """For names and labels: "30 min", "2 h 30 min", "90 s" as "1 min 30 s"."""
    hours, minutes, rest = _split(seconds)
    return " ".join(f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min"), (rest, "s")) if n) or "0 s"


def duration_words(seconds: int) -> str:
    """For sentences: "30 minutes", "2 hours 30 minutes"."""
    parts = zip(_split(seconds), ("hour", "minute", "second"), strict=True)
    return " ".join(plural(n, unit) for n, unit in parts if n) or "0 seconds"


def _split(seconds: int) -> tuple[int, int, int]:
    minutes, rest = divmod(int(seconds), 60)
    return minutes // 60, minutes % 60, rest
