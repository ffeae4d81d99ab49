"""Errors as problem+json."""

from __future__ import annotations

import errno
import sqlite3
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from rl_lab.api.http.problems import _storage_error, field_error, install_problems, status_problem


def test_the_field_is_named_without_where_it_came_from() -> None:
    error = {"loc": ("body", "params", "gamma"), "msg": "too large", "type": "less_than", "ctx": {"lt": 1}}
    found = field_error(error)
    assert (found.field, found.message, found.allowed) == ("params.gamma", "too large", {"lt": 1})


def test_a_choice_names_its_choices() -> None:
    error = {
        "loc": ("query", "kind"),
        "msg": "no",
        "type": "literal_error",
        "ctx": {"expected": "'a' or 'b'"},
    }
    assert field_error(error).allowed == "'a' or 'b'"


def test_broken_json_is_an_error_of_the_body() -> None:
    found = field_error({"loc": ("body", 3), "msg": "Expecting value", "type": "json_invalid"})
    assert (found.field, found.message) == ("body", "The body is not valid JSON.")


def test_a_missing_body_is_named_body() -> None:
    assert field_error({"loc": ("body",), "msg": "Field required", "type": "missing"}).field == "body"


def test_a_status_of_the_framework_becomes_a_problem_with_a_next_step() -> None:
    problem = status_problem(405, "PUT is not possible here.")
    assert (problem.type, problem.title) == ("urn:rl-lab:method-not-allowed", "Method Not Allowed")
    assert problem.next_step


FULL = sqlite3.OperationalError("database or disk is full")
FULL.sqlite_errorname = "SQLITE_FULL"


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), OperationalError("INSERT", {}, FULL)])
def test_a_full_disk_is_answered_with_what_to_do(error: Exception) -> None:
    app = FastAPI()
    install_problems(app)
    handler: Any = app.exception_handlers[SQLAlchemyError if isinstance(error, SQLAlchemyError) else OSError]
    answer = handler(None, error)
    assert answer.status_code == 507
    assert b"Free some space and try again." in answer.body


@pytest.mark.parametrize(
    "error", [OSError(errno.EACCES, "denied"), OperationalError("INSERT", {}, Exception("locked"))]
)
def test_any_other_error_of_a_file_or_the_database_is_a_mistake_of_the_lab(error: Exception) -> None:
    with pytest.raises(type(error)):
        _storage_error(None, error)  # type: ignore[arg-type]
