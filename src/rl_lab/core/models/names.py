"""Names of models, labels of versions, tags of checkpoints: their letters, and words that mean something else already.

On the command line `lander@v3` and `lander@production` name versions, `latest` and `best` name runs, and `RUN@newest`
names a checkpoint; `/api/models/import` is an address. A model or label of such a name could not be reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from rl_lab.core.run_ids import is_run_id

VERSION = re.compile(r"[vV]\d+")
STEP = re.compile(r"\d[\d,._]*[kKmM]?")
CHECKPOINT_WORDS = frozenset({"best", "newest", "latest", "final"})
"""What commands call a run, or a checkpoint of it."""
ADDRESS_WORDS = frozenset({"import", "compare", "named"})
"""What addresses of the API and of the page have where a model's name would be."""


NAME = r"^[A-Za-z0-9][A-Za-z0-9._ -]*$"
LABEL = r"^[A-Za-z][A-Za-z0-9._-]*$"


def _require_form(pattern: str, rule: str) -> Callable[[str], str]:
    """A pattern is also what the schema says; a person reads the rule."""

    def require(word: str) -> str:
        if re.match(pattern, word) is None:
            raise PydanticCustomError("name_form", "{rule}", {"rule": rule})
        return word

    return require


def _require_no_version(word: str) -> str:
    if VERSION.fullmatch(word):
        raise _reserved(word, "reads like a version")
    return word


def _require_no_checkpoint(word: str) -> str:
    if word.lower() in CHECKPOINT_WORDS:
        raise _reserved(word, "already names a checkpoint of a run")
    return word


def _require_free_name(name: str) -> str:
    if is_run_id(name.lower()):
        raise _reserved(name, "reads like the id of a run")
    if name.lower() in CHECKPOINT_WORDS | ADDRESS_WORDS:
        raise _reserved(name, "already means something else in commands and addresses")
    return name


def require_free_tag(tag: str) -> str:
    """`RUN@best` and `RUN@40960` name checkpoints by other things than their tags."""
    if STEP.fullmatch(tag):
        raise _reserved(tag, "reads like a step")
    return _require_no_checkpoint(tag)


def _reserved(word: str, why: str) -> PydanticCustomError:
    return PydanticCustomError(
        "reserved_name", "“{word}” {why}; choose another word", {"word": word, "why": why}
    )


ModelName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=64),
    Field(json_schema_extra={"pattern": NAME}),
    AfterValidator(
        _require_form(
            NAME,
            "Use letters from a to z, digits, spaces, dots, dashes and underscores; begin with a letter or digit.",
        )
    ),
    AfterValidator(_require_no_version),
    AfterValidator(_require_free_name),
]

ModelLabel = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=32),
    Field(json_schema_extra={"pattern": LABEL}),
    AfterValidator(
        _require_form(
            LABEL, "Use letters from a to z, digits, dots, dashes and underscores; begin with a letter."
        )
    ),
    AfterValidator(_require_no_version),
    AfterValidator(_require_no_checkpoint),
]
"""production, candidate, …: at most one version of a model has a label; a newer one takes it over."""
