"""Derived metrics: named expressions over metrics. They may use each other, but not in a circle."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from rl_lab.core.errors import InvalidInput, WrongExpression
from rl_lab.core.protocol.metrics import METRICS
from rl_lab.core.workbench.expression_terms import Term, names_in
from rl_lab.core.workbench.expression_tokens import MAX_EXPRESSION
from rl_lab.core.workbench.expressions import ALIASES, parse_expression

MAX_DERIVED = 200
MAX_CHAIN = 20
"""Derived metrics that use each other in a row."""
NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
"""The letters that the search text, the order of the table of runs and addresses accept for a metric."""
ADDRESS_WORDS = frozenset({"new", "preview", "functions"})
"""What addresses of the API and of the page have where a name would be."""


def _require_form(name: str) -> str:
    if NAME.fullmatch(name) is None:
        rule = "Use letters from a to z, digits and _ . -; begin with a letter."
        raise PydanticCustomError("name_form", "{rule}", {"rule": rule})
    if name.lower() in {*METRICS, *ALIASES, *ADDRESS_WORDS}:
        message = "“{name}” already means something else; choose another name"
        raise PydanticCustomError("reserved_name", message, {"name": name})
    return name


DerivedName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=64),
    Field(json_schema_extra={"pattern": f"^{NAME.pattern}$"}),
    AfterValidator(_require_form),
]
ExpressionText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_EXPRESSION)]


class NewDerivedMetric(BaseModel):
    """The body of a request that saves a derived metric."""

    model_config = ConfigDict(extra="forbid")

    name: DerivedName = Field(description="Its name; no other metric may have it.")
    expression: ExpressionText = Field(description="What it is computed from.", examples=["return / length"])
    note: str = Field(default="", max_length=2000, description="What it is about.")


class DerivedMetricPatch(BaseModel):
    model_config = ConfigDict(extra="forbid")

    expression: ExpressionText | None = None
    note: str | None = Field(default=None, max_length=2000)


class DerivedMetric(BaseModel):
    name: str
    expression: str
    note: str = ""
    uses: list[str] = []
    """Metrics in its expression, the one that decides where its points are first."""
    used_by: list[str] = []
    """Other derived metrics that use it."""
    created_at: datetime
    updated_at: datetime


Definitions = Mapping[str, Term]
"""Expressions by the name of their derived metric."""
NO_DEFINITIONS: Definitions = MappingProxyType({})
BUILT_IN: Definitions = MappingProxyType({"mean_reward": parse_expression("mean(reward, 100)")})
"""For runs that store no metric of this name: what a run stores hides it."""


def read_definitions(expressions: Mapping[str, str]) -> dict[str, Term]:
    """Stored expressions; one that this version cannot read is left out, like a metric that no run has."""
    found: dict[str, Term] = {}
    for name, expression in expressions.items():
        try:
            found[name] = _read(expression)
        except WrongExpression:
            continue
    return found


@lru_cache(maxsize=4 * MAX_DERIVED)
def _read(expression: str) -> Term:
    return parse_expression(expression)


def computing_order(wanted: Collection[str], definitions: Definitions) -> list[str]:
    """The derived metrics that are needed, each after those that it uses; raises InvalidInput for a circle."""
    order: list[str] = []
    for name in wanted:
        _visit(name, definitions, [], order)
    return order


def _visit(name: str, definitions: Definitions, above: list[str], order: list[str]) -> None:
    if name in order or name not in definitions:
        return
    if name in above:
        circle = " → ".join([*above[above.index(name) :], name])
        raise InvalidInput.of_field("expression", f"A derived metric cannot use itself: {circle}.")
    if len(above) >= MAX_CHAIN:
        raise InvalidInput.of_field(
            "expression", f"More than {MAX_CHAIN} derived metrics use each other in a row."
        )
    for used in names_in(definitions[name]):
        _visit(used, definitions, [*above, name], order)
    order.append(name)


def stored_metrics(names: Collection[str], definitions: Definitions) -> list[str]:
    """The metrics of a run that these names and expressions need in the end, without derived ones."""
    needed = computing_order(names, definitions)
    used = [one for name in needed for one in names_in(definitions[name])]
    plain = [name for name in names if name not in definitions]
    return list(dict.fromkeys([*plain, *(one for one in used if one not in definitions)]))
