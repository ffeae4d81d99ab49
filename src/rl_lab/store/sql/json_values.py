"""Single values of a JSON column in SQL, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import ColumnElement, Double, Text, literal_column
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class _JsonValue(FunctionElement[Any]):
    def __init__(self, column: ColumnElement[Any], *path: str) -> None:
        if not all(re.fullmatch(r"[\w.-]+", step) for step in path):
            raise ValueError(f"not a path of plain names: {path}")
        # Each dialect uses its own spelling of the path; plain names need no escaping in either.
        sqlite: ColumnElement[Any] = literal_column("'$" + "".join(f'."{step}"' for step in path) + "'")
        postgresql: ColumnElement[Any] = literal_column("'{" + ",".join(f'"{step}"' for step in path) + "}'")
        super().__init__(column, sqlite, postgresql)


class JsonNumber(_JsonValue):
    """The number at a path; null if there is none or the value is not a number."""

    type = Double()
    name = "json_number"
    inherit_cache = True


class JsonText(_JsonValue):
    """The value at a path as JSON text, a string with its quotes; null if there is none."""

    type = Text()
    name = "json_text"
    inherit_cache = True


@compiles(JsonNumber)
def _sqlite_number(element: JsonNumber, compiler: Any, **kw: Any) -> str:
    column, path, _ = (compiler.process(clause, **kw) for clause in element.clauses)
    return f"CASE WHEN json_type({column}, {path}) IN ('integer', 'real') THEN json_extract({column}, {path}) END"


@compiles(JsonText)
def _sqlite_text(element: JsonText, compiler: Any, **kw: Any) -> str:
    column, path, _ = (compiler.process(clause, **kw) for clause in element.clauses)
    return f"CAST(({column} -> {path}) AS TEXT)"


@compiles(JsonNumber, "postgresql")
def _postgresql_number(element: JsonNumber, compiler: Any, **kw: Any) -> str:
    column, _, path = (compiler.process(clause, **kw) for clause in element.clauses)
    value = f"CAST({column} AS json) #> {path}"
    return (
        f"CASE WHEN json_typeof({value}) = 'number' THEN CAST(CAST({value} AS text) AS double precision) END"
    )


@compiles(JsonText, "postgresql")
def _postgresql_text(element: JsonText, compiler: Any, **kw: Any) -> str:
    column, _, path = (compiler.process(clause, **kw) for clause in element.clauses)
    return f"CAST(CAST({column} AS json) #> {path} AS text)"
