"""Keyset pagination: the order of a list, and the rows after the last one of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Double, Select, Text, and_, bindparam, func, or_
from sqlalchemy.types import TypeEngine

from rl_lab.core.errors import InvalidInput
from rl_lab.store.sql.cursors import Key, PageEnd

_BYTES = Text().with_variant(Text(collation="C"), "postgresql")
"""Text compared byte by byte, as in SQLite; a locale's order would differ between machines."""


@dataclass(frozen=True)
class SortColumn:
    """A column to sort by, and the plain type of its cursor key (a time as its integer)."""

    of: ColumnElement[Any]
    type: TypeEngine[Any]
    nullable: bool = False

    @property
    def key(self) -> ColumnElement[Any]:
        return self.of.cast(self.type)


def text_order(column: ColumnElement[Any], nullable: bool = False) -> SortColumn:
    return SortColumn(func.lower(column).cast(_BYTES), _BYTES, nullable)


def whole_order(column: ColumnElement[Any], nullable: bool = False) -> SortColumn:
    return SortColumn(column, BigInteger(), nullable)


def number_order(column: ColumnElement[Any]) -> SortColumn:
    return SortColumn(column, Double(), nullable=True)


@dataclass(frozen=True)
class Keyset:
    """The order of a list: by a column, and by id where its values are equal."""

    column: SortColumn
    id: ColumnElement[Any]
    descending: bool

    def ordered(self, query: Select[Any]) -> Select[Any]:
        direction = "desc" if self.descending else "asc"
        first = getattr(self.column.of, direction)()
        if self.column.nullable:
            first = first.nulls_last()
        return query.order_by(first, getattr(self.id, direction)())

    def after(self, last: PageEnd) -> ColumnElement[bool]:
        """Rows after the page that ends at `last`; rows without a key come last, in both directions."""
        column = self.column
        further = self.id < last.id if self.descending else self.id > last.id
        if last.key is None:
            return and_(column.of.is_(None), further)
        key = bindparam(None, _checked(column, last), type_=column.type)
        beyond = column.of < key if self.descending else column.of > key
        after = or_(beyond, and_(column.of == key, further))
        return or_(after, column.of.is_(None)) if column.nullable else after


def _checked(column: SortColumn, last: PageEnd) -> Key:
    """The cursor's key, if it has the column's type; a forged key must not reach the database."""
    if isinstance(column.type, Text):
        good = isinstance(last.key, str) and "\x00" not in last.key
    else:
        good = isinstance(last.key, int | float) and abs(last.key) < 2**63
    if not good:
        raise InvalidInput.of_field(
            "cursor", "this cursor was not created by this lab; start again without a cursor"
        )
    return last.key
