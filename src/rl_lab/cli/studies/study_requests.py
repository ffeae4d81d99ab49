"""What the user typed about a study as a request: seeds, grids, ranges, budgets; and study files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rl_lab.cli.values import parse_value
from rl_lab.core.errors import FieldError, InvalidInput, LabError

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

MAX_BYTES = 4 << 20
MAX_DIGITS = 20
MOST_SEEDS = 1000
SEED_FORMS = "5, 3,7,11 or 1-5"
UNITS = {"s": 1 / 60, "m": 1.0, "min": 1.0, "h": 60.0, "d": 1440.0}
YAML_SUFFIXES = (".yaml", ".yml")


def parse_seeds(text: str) -> int | list[int]:
    """`5` draws five seeds; `3,7,11` and `1-5` are these."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    numbers = [seed for word in words for seed in _seed_range(word, text)]
    if not numbers:
        raise InvalidInput.of_field("--seeds", "Give a number of seeds or a list of them.", SEED_FORMS)
    return numbers[0] if text.strip().isdecimal() else numbers


def _seed_range(word: str, text: str) -> range:
    first, sign, last = word.partition("-")
    if not first.isdecimal() or (sign and not last.isdecimal()) or len(first + last) > MAX_DIGITS:
        message = f"“{text}” is neither a number nor a list of seeds."
        raise InvalidInput.of_field("--seeds", message, SEED_FORMS)
    found = range(int(first), int(last or first) + 1)
    if not 0 < len(found) <= MOST_SEEDS:
        raise InvalidInput.of_field("--seeds", f"“{word}” is not a range of 1 to {MOST_SEEDS:,} seeds.")
    return found


def parse_minutes(text: str, option: str = "--for") -> float:
    """`30m`, `1h30m`, `90s`, `45` (minutes)."""
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.lower())
    whole = "".join(f"{amount}{unit}" for amount, unit in parts)
    if not parts or whole != re.sub(r"\s+", "", text.lower()) or any(u and u not in UNITS for _, u in parts):
        raise InvalidInput.of_field(option, f"“{text}” is not a time.", "e.g. 30m, 1h30m, 90s")
    return sum(float(amount) * UNITS[unit or "m"] for amount, unit in parts)


def parse_grid(pairs: Sequence[str]) -> dict[str, Any]:
    """`["learning_rate=0.001,0.01", "hidden=[64,64],[128,128]"]` as the parameters of a sweep."""
    return {name: {"values": _values(text)} for name, text in _named(pairs, "--grid")}


def parse_ranges(pairs: Sequence[str]) -> dict[str, Any]:
    """`["gamma=0.9:0.999", "learning_rate=1e-4:1e-2:log", "hidden=16:128:16"]`"""
    found = {}
    for name, text in _named(pairs, "--range"):
        low, high, *rest = [*text.split(":"), "", ""][: max(2, text.count(":") + 1)]
        try:
            found[name] = {"low": float(low), "high": float(high), **_range_option(rest)}
        except ValueError:
            form = "low:high, low:high:log or low:high:step"
            raise InvalidInput.of_field(
                "--range", f"“{name}={text}” does not have the form {form}."
            ) from None
    return found


def _range_option(rest: Sequence[str]) -> dict[str, Any]:
    if len(rest) > 1:
        raise ValueError
    if not rest or rest[0] in ("", "linear"):
        return {}
    return {"scale": "log"} if rest[0] == "log" else {"step": float(rest[0])}


def _named(pairs: Sequence[str], option: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for pair in pairs:
        name, sign, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not sign or not name:
            raise InvalidInput.of_field(option, f"“{pair}” does not have the form name=values.")
        if name in dict(found):
            raise InvalidInput.of_field(option, f"{name} is given twice.")
        found.append((name, text.strip()))
    return found


def _values(text: str) -> list[Any]:
    try:
        values: list[Any] = json.loads(f"[{text}]")
    except ValueError:
        values = [parse_value(word.strip()) for word in text.split(",") if word.strip()]
    if not values:
        raise InvalidInput.of_field("--grid", "A grid needs at least one value for each name.")
    return values


def read_study_file(path: Path) -> dict[str, Any]:
    """A study file, JSON or YAML; the lab checks what is in it."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidInput.of_field("--file", f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise InvalidInput.of_field("--file", f"{path} is too large to be a study file.")
    found = _parse(path, data)
    if not isinstance(found, dict) or "base" not in found:
        raise InvalidInput.of_field("--file", f"{path} is not a study file: it has no base.")
    return found


def _parse(path: Path, data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        pass
    import yaml

    try:
        return yaml.safe_load(data)
    except yaml.YAMLError:
        raise InvalidInput.of_field("--file", f"{path} is neither JSON nor YAML.") from None


def write_study_file(path: Path, study: dict[str, Any]) -> None:
    """JSON, or YAML if the name of the file ends so."""
    from rl_lab.cli.output import write_file

    if path.suffix.lower() in YAML_SUFFIXES:
        import yaml

        write_file(path, yaml.safe_dump(study, sort_keys=False, allow_unicode=True))
    else:
        write_file(path, json.dumps(study, indent=2, ensure_ascii=False) + "\n")


def create_study(client: LabClient, study: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """A function that creates the study for given settings of its runs; it is called again with corrected ones."""

    def create(base: dict[str, Any]) -> Any:
        given = {name: value for name, value in base.items() if value not in (None, {}, [])}
        try:
            return client.post("/api/studies", {**study, "base": given})
        except LabError as error:
            raise _as_typed(error) from None

    return create


def _as_typed(error: LabError) -> LabError:
    """The fields of the base are options of the command."""
    errors = [
        FieldError(field=e.field.removeprefix("base."), message=e.message, allowed=e.allowed)
        for e in error.problem().errors or ()
    ]
    if not errors:
        return error
    return InvalidInput.of_fields(errors)


STUDY_LABELS = ("name", "priority")
"""Run options that belong to the study."""
