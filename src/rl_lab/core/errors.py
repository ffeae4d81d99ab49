"""All errors that users can see, each with its HTTP status; the docstring is the title.

LabError
├── InvalidInput        a field is wrong; carries one FieldError per field
│   └── WrongExpression an expression over metrics cannot be read; carries the column
├── NotFound            the requested object does not exist
├── MoveRefused         the run's state does not allow it; carries the allowed moves
├── NotReady            a requirement is missing; carries the remedy
│   ├── RewindNeeded    a resume would drop steps, and the user has not agreed
│   ├── InexactResume   a resume would not restore everything, and the user has not agreed
│   └── CodeFailed      a user's reward, evaluation code or environment raised or returned something wrong
├── ConsentNeeded       foreign code that has not been approved yet
├── Unauthorised        no token, or a wrong one
├── Forbidden           a wrong Host or Origin, or a path outside its folder
├── AlreadyExists       the name is taken; carries what to do instead
├── Gone                it existed and has been deleted
├── LabBusy             another process holds this home folder
├── ClientLeft          the client closed the connection; nobody reads the answer
├── WorkerFailed        a short worker call crashed or returned an invalid answer
├── TooManyTries        too many wrong tokens in a short time; carries how long to wait
└── StorageFull         the disk is full: nothing was written, a retry may work later
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(kw_only=True)
class FieldError:
    """What is wrong with one field of the input, and which values are allowed."""

    field: str
    message: str
    allowed: Any = None


@dataclass(kw_only=True)
class Problem:
    """An error as sent to clients (RFC 9457)."""

    # No pydantic in this file: every CLI command imports it, and importing pydantic takes longer than everything else.

    type: str
    title: str
    status: int
    detail: str
    next_step: str | None = None
    errors: list[FieldError] | None = None
    allowed: list[str] | None = None


class LabError(Exception):
    """Something went wrong."""

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "error"

    def __init__(
        self,
        detail: str,
        *,
        next_step: str | None = None,
        errors: Sequence[FieldError] = (),
        allowed: Sequence[str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.next_step = next_step
        self.errors = list(errors)
        self.allowed = list(allowed) if allowed is not None else None

    def problem(self) -> Problem:
        return Problem(
            type=f"urn:rl-lab:{self.slug}",
            title=(type(self).__doc__ or "").splitlines()[0],
            status=self.status,
            detail=self.detail,
            next_step=self.next_step,
            errors=self.errors or None,
            allowed=self.allowed,
        )


class InvalidInput(LabError):
    """The input is not valid."""

    status = 422
    slug = "invalid-input"

    @classmethod
    def of_field(cls, field: str, message: str, allowed: Any = None) -> InvalidInput:
        return cls(f"{field}: {message}", errors=[FieldError(field=field, message=message, allowed=allowed)])

    @classmethod
    def of_fields(cls, errors: Sequence[FieldError]) -> InvalidInput:
        return cls("; ".join(f"{e.field}: {e.message}" for e in errors), errors=errors)


class WrongExpression(InvalidInput):
    """The expression is not valid."""

    slug = "wrong-expression"

    def __init__(self, expression: str, column: int, message: str) -> None:
        """`column`: from 0; a caret points at it below the expression."""
        self.message, self.column = message, column
        shown = "".join(sign if sign.isprintable() else " " for sign in expression)
        detail = f"expression: {message}\n  {shown}\n  {' ' * column}^"
        super().__init__(detail, errors=[FieldError(field="expression", message=message)])


class NotFound(LabError):
    """Not found."""

    status = 404
    slug = "not-found"


class MoveRefused(LabError):
    """The run's state does not allow this."""

    status = 409
    slug = "move-refused"


class NotReady(LabError):
    """A requirement is missing."""

    status = 409
    slug = "not-ready"

    def __init__(
        self,
        detail: str,
        *,
        cause: str = "not-ready",
        next_step: str | None = None,
        errors: Sequence[FieldError] = (),
        allowed: Sequence[str] | None = None,
    ) -> None:
        """`cause`: the short code of the end reason, where this ends a run."""
        super().__init__(detail, next_step=next_step, errors=errors, allowed=allowed)
        self.cause = cause


class RewindNeeded(NotReady):
    """Steps would be dropped."""

    slug = "rewind-needed"


class InexactResume(NotReady):
    """The run would differ from one that was not stopped."""

    slug = "inexact-resume"


class CodeFailed(NotReady):
    """The code failed."""

    status = 422
    slug = "code-failed"

    def __init__(
        self,
        detail: str,
        *,
        reason: str = "",
        line: int | None = None,
        row: int | None = None,
        kind: str = "",
        next_step: str | None = None,
    ) -> None:
        """`reason`: the bare message; `row`: of the rows that were scored; `kind`: raised, result, slow or ended."""
        super().__init__(
            detail,
            cause="code-failed",
            next_step=next_step
            or "Correct the code on the Workbench, where it can be tried before training.",
        )
        self.reason, self.line, self.row, self.kind = reason or detail, line, row, kind


class ConsentNeeded(LabError):
    """This code must be approved before it runs."""

    status = 428
    slug = "consent-needed"


class Unauthorised(LabError):
    """A token is needed."""

    status = 401
    slug = "unauthorised"


class Forbidden(LabError):
    """This is not allowed."""

    status = 403
    slug = "forbidden"


class AlreadyExists(LabError):
    """It already exists."""

    status = 409
    slug = "already-exists"


class Gone(LabError):
    """It no longer exists."""

    status = 410
    slug = "gone"


class LabBusy(LabError):
    """Another process is using this home folder."""

    status = 409
    slug = "lab-busy"


class ClientLeft(LabError):
    """The client has left."""

    status = 499
    slug = "client-left"


class WorkerFailed(LabError):
    """A worker process failed."""

    status = 502
    slug = "worker-failed"


class TooManyTries(LabError):
    """Too many attempts."""

    status = 429
    slug = "too-many-tries"

    def __init__(self, detail: str, *, retry_after_s: int, next_step: str | None = None) -> None:
        super().__init__(detail, next_step=next_step)
        self.retry_after_s = retry_after_s


class StorageFull(LabError):
    """The disk is full."""

    status = 507
    slug = "storage-full"


def nearest(word: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known words most similar to `word`, for "did you mean"."""
    by_lower = {k.lower(): k for k in known}
    return [by_lower[m] for m in difflib.get_close_matches(word.lower(), by_lower, n=count, cutoff=0.55)]
