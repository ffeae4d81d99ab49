"""SQL conditions for the conditions of a search text, and the numbers of a run that lists sort by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Double, Text, and_, cast, func, not_, or_, select

from rl_lab.core.run_query import Condition, is_text, parse_number
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.json_values import JsonNumber, JsonText
from rl_lab.store.sql.tables import run_documents, run_tags, runs

_COMPARE: dict[str, Callable[[ColumnElement[Any], float], ColumnElement[bool]]] = {
    "<": lambda column, value: column < value,
    "<=": lambda column, value: column <= value,
    ">": lambda column, value: column > value,
    ">=": lambda column, value: column >= value,
}


def of_document(value: ColumnElement[Any]) -> ColumnElement[Any]:
    """A value of the run's document, for a query of `runs`."""
    return select(value).where(run_documents.c.run_id == runs.c.id).scalar_subquery()


def parameter_number(name: str) -> ColumnElement[Any]:
    """A hyper-parameter, or an argument that a script reported."""
    config = run_documents.c.config
    return of_document(func.coalesce(JsonNumber(config, "params", name), JsonNumber(config, "args", name)))


NUMBER_COLUMNS: dict[str, ColumnElement[Any]] = {
    "seed": of_document(JsonNumber(run_documents.c.config, "seed")),
    "timestep": runs.c.timestep,
    "duration": runs.c.elapsed_s,
    "mean_reward": runs.c.mean_reward,
    "best_mean_reward": of_document(JsonNumber(run_documents.c.summary, "best_mean_reward")),
    "best_reward": runs.c.best_reward,
    "last_reward": runs.c.last_reward,
    "episodes": of_document(JsonNumber(run_documents.c.progress, "episodes")),
    "total_timesteps": of_document(JsonNumber(run_documents.c.config, "total_timesteps")),
}


def sql_condition(condition: Condition) -> ColumnElement[bool]:
    if condition.field in NUMBER_COLUMNS:
        return _number_condition(condition, NUMBER_COLUMNS[condition.field])
    if is_text(condition.field):
        found = or_(*(_text_equals(condition, clean_text(value).casefold()) for value in condition.values))
        return not_(found) if condition.operator == "!=" else found
    return _parameter_condition(condition)


def _number_condition(condition: Condition, column: ColumnElement[Any]) -> ColumnElement[bool]:
    number = cast(column, Double)
    if condition.operator in _COMPARE:
        compare = _COMPARE[condition.operator]
        return and_(*(compare(number, value) for value in condition.numbers))
    found = number.in_(condition.numbers)
    return not_(found) if condition.operator == "!=" else found


def _parameter_condition(condition: Condition) -> ColumnElement[bool]:
    config = run_documents.c.config
    places = [(group, name) for name in condition.aliases for group in ("params", "args")]
    number = of_document(func.coalesce(*(JsonNumber(config, *place) for place in places)))
    if condition.operator in _COMPARE:
        return _number_condition(condition, number)
    numbers = [value for text in condition.values if (value := parse_number(text)) is not None]
    texts = [clean_text(text).casefold() for text in condition.values]
    written = of_document(func.lower(func.coalesce(*(JsonText(config, *place) for place in places))))
    # A text is stored with its quotes, true and false without.
    found = or_(cast(number, Double).in_(numbers), written.in_([*texts, *(f'"{text}"' for text in texts)]))
    return and_(written.is_not(None), not_(found)) if condition.operator == "!=" else found


def _text_equals(condition: Condition, value: str) -> ColumnElement[bool]:
    """With `:` the text contains the value, with `=` it is the value; tags and states are always whole."""
    if condition.field == "tag":
        return runs.c.id.in_(select(run_tags.c.run_id).where(func.lower(run_tags.c.tag) == value))
    if condition.field == "preset":
        return func.lower(of_document(JsonText(run_documents.c.config, "preset"))) == f'"{value}"'
    column = func.lower(cast(runs.c[condition.field], Text))
    if condition.operator == ":" and condition.field != "status":
        return column.contains(value, autoescape=True)
    return column == value
