"""What is wrong with a value, as a sentence of ours: pydantic's own messages speak of inputs, patterns and types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SENTENCES = {
    "missing": "This is needed.",
    "extra_forbidden": "There is no such field.",
    "string_pattern_mismatch": "This does not have the expected form.",
    "string_type": "Must be text.",
    "string_too_short": "Must have at least {min_length} characters.",
    "string_too_long": "Must have at most {max_length} characters.",
    "int_type": "Must be a whole number.",
    "int_parsing": "Must be a whole number.",
    "int_from_float": "Must be a whole number.",
    "float_type": "Must be a number.",
    "float_parsing": "Must be a number.",
    "finite_number": "Must be a finite number.",
    "bool_type": "Must be true or false.",
    "bool_parsing": "Must be true or false.",
    "list_type": "Must be a list.",
    "dict_type": "Must be an object with named values.",
    "model_type": "Must be an object with named values.",
    "model_attributes_type": "Must be an object with named values.",
    "too_short": "Must have at least {min_length} entries.",
    "too_long": "Must have at most {max_length} entries.",
    "greater_than": "Must be above {gt}.",
    "greater_than_equal": "Must be at least {ge}.",
    "less_than": "Must be below {lt}.",
    "less_than_equal": "Must be at most {le}.",
    "multiple_of": "Must be a multiple of {multiple_of}.",
    "literal_error": "Must be {expected}.",
    "enum": "Must be {expected}.",
}


def plain_message(error: Mapping[str, Any]) -> str:
    """The sentence for one of pydantic's errors; our own validators have written theirs already."""
    sentence = SENTENCES.get(str(error["type"]))
    if sentence is None:
        return str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "string_too_short" and (error.get("ctx") or {}).get("min_length") == 1:
        return "Must not be empty."
    try:
        return sentence.format(**(error.get("ctx") or {}))
    except KeyError:
        return str(error["msg"])
