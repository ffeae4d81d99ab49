"""Errors as problem+json."""

from __future__ import annotations

import errno
import sqlite3
from typing import Any, Literal

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel, Field, ValidationError, field_validator
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from rl_lab.api.deps import RunId
from rl_lab.api.http.problems import _storage_error, field_error, install_problems, status_problem
from rl_lab.core.words.validation_messages import plain_message


def test_the_field_is_named_without_where_it_came_from() -> None:
    error = {"loc": ("body", "params", "gamma"), "msg": "…", "type": "less_than", "ctx": {"lt": 1}}
    found = field_error(error)
    assert (found.field, found.message, found.allowed) == ("params.gamma", "Must be below 1.", {"lt": 1})


def test_an_id_that_cannot_exist_is_answered_like_one_that_does_not() -> None:
    app = FastAPI()
    install_problems(app)

    @app.get("/runs/{run_id}")
    def get_run(run_id: RunId) -> None: ...

    answer = TestClient(app).get("/runs/NOPE")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "There is no run called “NOPE”."
    assert "Runs" in answer.json()["next_step"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"count": "many"}, "Must be a whole number."),
        ({"count": 99}, "Must be at most 9."),
        ({"kind": "c"}, "Must be 'a' or 'b'."),
        ({"name": ""}, "Must not be empty."),
        ({"own": 1}, "Choose another one."),
        ({"other": 1}, "There is no such field."),
    ],
)
def test_a_wrong_value_is_explained_without_words_of_the_library(
    value: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValidationError) as raised:
        Form.model_validate(value)
    assert [plain_message(dict(one)) for one in raised.value.errors()] == [sentence]


class Form(BaseModel, extra="forbid"):
    count: int = Field(default=1, le=9)
    kind: Literal["a", "b"] = "a"
    name: str = Field(default="x", min_length=1)
    own: int = 0

    @field_validator("own")
    @classmethod
    def _check(cls, value: int) -> int:
        raise ValueError("Choose another one.")


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
