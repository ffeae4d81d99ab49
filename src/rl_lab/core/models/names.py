"""Names of models and labels of their versions: what they may be made of, and which words already mean something else.

On the command line `lander@v3` and `lander@production` name versions, `latest` and `best` name runs, and `RUN@newest`
names a checkpoint; `/api/models/import` is an address. A model or label of such a name could not be reached.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from rl_lab.core.run_ids import is_run_id

VERSION = re.compile(r"[vV]\d+")
CHECKPOINT_WORDS = frozenset({"best", "newest", "latest", "final"})
"""What commands call a run, or a checkpoint of it."""
ADDRESS_WORDS = frozenset({"import", "compare", "named"})
"""What addresses of the API and of the page have where a model's name would be."""


def _require_free_name(name: str) -> str:
    if VERSION.fullmatch(name):
        raise _reserved(name, "reads like a version")
    if is_run_id(name.lower()):
        raise _reserved(name, "reads like the id of a run")
    if name.lower() in CHECKPOINT_WORDS | ADDRESS_WORDS:
        raise _reserved(name, "already means something else in commands and addresses")
    return name


def _require_free_label(label: str) -> str:
    if VERSION.fullmatch(label):
        raise _reserved(label, "reads like a version")
    if label.lower() in CHECKPOINT_WORDS:
        raise _reserved(label, "already names a checkpoint of a run")
    return label


def _reserved(word: str, why: str) -> PydanticCustomError:
    return PydanticCustomError(
        "reserved_name", "“{word}” {why}; choose another word", {"word": word, "why": why}
    )


ModelName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._ -]*$"
    ),
    AfterValidator(_require_free_name),
]

ModelLabel = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=32, pattern=r"^[A-Za-z][A-Za-z0-9._-]*$"
    ),
    AfterValidator(_require_free_label),
]
"""production, candidate, …: at most one version of a model has a label; a newer one takes it over."""
