"""SQL conditions for the parts of a search text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Double, Text, and_, cast, false, func, not_, or_, select, true

from rl_lab.core.run_query import AllOf, AnyOf, Condition, NoneOf, Part, QueryWord, is_text, parse_number
from rl_lab.store.run_metrics import has_metric
from rl_lab.store.run_parameters import has_parameter
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.tables import run_parameters, run_tags, runs

_COMPARE: dict[str, Callable[[ColumnElement[Any], float], ColumnElement[bool]]] = {
    "<": lambda column, value: column < value,
    "<=": lambda column, value: column <= value,
    ">": lambda column, value: column > value,
    ">=": lambda column, value: column >= value,
}


NUMBER_COLUMNS: dict[str, ColumnElement[Any]] = {
    "seed": runs.c.seed,
    "timestep": runs.c.timestep,
    "duration": runs.c.elapsed_s,
    "mean_reward": runs.c.mean_reward,
    "best_mean_reward": runs.c.best_mean_reward,
    "best_reward": runs.c.best_reward,
    "last_reward": runs.c.last_reward,
    "episodes": runs.c.episodes,
    "total_timesteps": runs.c.total_timesteps,
}


def sql_part(part: Part) -> ColumnElement[bool]:
    """A run for which a field is unknown does not meet a condition on it, nor its opposite written with `!=`."""
    match part:
        case QueryWord(text):
            return runs.c.search.contains(clean_text(text), autoescape=True)
        case NoneOf(inner):
            return not_(func.coalesce(sql_part(inner), false()))
        case AnyOf(parts):
            return or_(*map(sql_part, parts))
        case AllOf(parts):
            return and_(true(), *map(sql_part, parts))
        case Condition():
            return sql_condition(part)


def sql_condition(condition: Condition) -> ColumnElement[bool]:
    if condition.is_metric:
        return has_metric(condition.field, lambda value: _number_condition(condition, value))
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
    number, text = run_parameters.c.number, run_parameters.c.text
    if condition.operator in _COMPARE:
        return has_parameter(condition.aliases, _number_condition(condition, number))
    numbers = [value for text in condition.values if (value := parse_number(text)) is not None]
    texts = [clean_text(text).casefold() for text in condition.values]
    found = or_(and_(number.is_not(None), number.in_(numbers)), text.in_(texts))
    return has_parameter(condition.aliases, not_(found) if condition.operator == "!=" else found)


def _text_equals(condition: Condition, value: str) -> ColumnElement[bool]:
    """With `:` the text contains the value, with `=` it is the value; tags and states are always whole."""
    if condition.field == "tag":
        return runs.c.id.in_(select(run_tags.c.run_id).where(func.lower(run_tags.c.tag) == value))
    if condition.field in ("preset", "study_id"):
        return func.lower(runs.c[condition.field]) == value
    column = func.lower(cast(runs.c[condition.field], Text))
    if condition.operator == ":" and condition.field != "status":
        return column.contains(value, autoescape=True)
    return column == value
