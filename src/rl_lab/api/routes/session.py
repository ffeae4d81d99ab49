"""Signing in and out, and the list of signed-in browsers.

A browser hands in the token, or the ticket of a sign-in link, once. It gets a cookie that scripts on the page cannot
read, and two keys, one of which must come with the cookie: the key as a header, or the view key in the address.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from rl_lab.api.deps import ID, CallerDep, KeyringDep, SessionsDep, ThrottleDep
from rl_lab.api.http.peers import is_own_user
from rl_lab.api.http.throttle import Throttle
from rl_lab.api.http.tickets import TICKET_S
from rl_lab.api.http.tokens import Keyring
from rl_lab.core.errors import Forbidden, Unauthorised
from rl_lab.core.sessions import LONGEST, BrowserSession

router = APIRouter(prefix="/api", tags=["session"])

SessionId = Annotated[str, Path(pattern=ID, description="Id of the signed-in browser.")]
Secret = Annotated[str | None, Field(min_length=1, max_length=200)]


class SignIn(BaseModel):
    """Either the token or a ticket."""

    model_config = ConfigDict(extra="forbid")

    token: Secret = Field(default=None, description="Content of `<home>/token`.")
    ticket: Secret = Field(default=None, description="From a sign-in link; it works once.")

    @model_validator(mode="after")
    def _one_of_both(self) -> SignIn:
        if (self.token is None) == (self.ticket is None):
            raise ValueError("send either `token` or `ticket`")
        return self


class SignInState(BaseModel):
    signed_in: bool


class SignedIn(SignInState):
    key: str
    """Sent by the page as `RL-Lab-Key` with every request, next to the cookie."""
    view_key: str
    """Sent as `?view_key=` where no header can be sent; it only reads."""


class NewTicket(BaseModel):
    ticket: str
    """For `<address of the lab>/#ticket=…`."""
    valid_s: int


@router.get("/session", operation_id="get_session", openapi_extra={"security": []})
async def get_session(caller: CallerDep) -> SignInState:
    """Whether this browser or script is signed in."""
    return SignInState(signed_in=caller is not None)


@router.post("/session", operation_id="sign_in", status_code=201, openapi_extra={"security": []})
async def sign_in(
    *,
    body: SignIn,
    request: Request,
    response: Response,
    keyring: KeyringDep,
    sessions: SessionsDep,
    throttle: ThrottleDep,
) -> SignedIn:
    """Trades the token or a ticket for a session. After five wrong ones an address has to wait (429)."""
    address = request.client.host if request.client else "unknown"
    if body.ticket is not None:
        _check_ticket(body.ticket, request, keyring, throttle)
    elif not keyring.knows_token(body.token or ""):
        throttle.count_wrong(address)
        raise Unauthorised(
            "This is not the token of this lab.",
            next_step="Run `rl-lab sign-in` for a sign-in link, or paste the content of the file `token` in the "
            "lab's home folder.",
        )
    throttle.succeeded(address)
    secrets = await sessions.create(request.headers.get("user-agent", ""), address)
    response.set_cookie(
        keyring.cookie_name,
        secrets.cookie,
        max_age=int(LONGEST.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return SignedIn(signed_in=True, key=secrets.key, view_key=secrets.view_key)


@router.delete("/session", operation_id="sign_out", openapi_extra={"security": []})
async def sign_out(
    response: Response, keyring: KeyringDep, sessions: SessionsDep, caller: CallerDep
) -> SignInState:
    """Ends the session of this browser and forgets its cookie."""
    if caller is not None and caller.session_id is not None:
        await sessions.end(caller.session_id)
    response.delete_cookie(keyring.cookie_name, httponly=True, samesite="strict")
    return SignInState(signed_in=False)


@router.post(
    "/tickets",
    operation_id="create_ticket",
    status_code=201,
    responses={403: {"description": "A browser's session makes no tickets, only the token does"}},
)
async def create_ticket(keyring: KeyringDep, caller: CallerDep) -> NewTicket:
    """A ticket for a sign-in link: it works once, for 30 seconds. Only a holder of the token gets one."""
    if caller is None or caller.session_id is not None:
        raise Forbidden(
            "Only a holder of the token may make a sign-in link; otherwise a browser could prolong its own session.",
            next_step="Run `rl-lab sign-in`.",
        )
    return NewTicket(ticket=keyring.tickets.issue(), valid_s=TICKET_S)


@router.get("/sessions", operation_id="list_sessions")
async def list_sessions(sessions: SessionsDep, caller: CallerDep) -> list[BrowserSession]:
    """Every signed-in browser, the last used first."""
    return sessions.list_all(caller.session_id if caller else None)


@router.delete("/sessions", operation_id="end_other_sessions")
async def end_other_sessions(sessions: SessionsDep, caller: CallerDep) -> list[BrowserSession]:
    """Signs out every browser but the one that asks; returns those that were signed out."""
    return await sessions.end_others(caller.session_id if caller else None)


@router.delete("/sessions/{session_id}", operation_id="end_session")
async def end_session(session_id: SessionId, sessions: SessionsDep) -> BrowserSession:
    """Signs a browser out; its live connections are closed at once."""
    return await sessions.end(session_id)


def _check_ticket(ticket: str, request: Request, keyring: Keyring, throttle: Throttle) -> None:
    """A ticket is taken by the lab's own user only; another user's try leaves it valid."""
    scope = request.scope
    if not keyring.tickets.is_valid(ticket):
        throttle.count_wrong(request.client.host if request.client else "unknown")
        raise Unauthorised(
            "This sign-in link has expired or was used already: a link works once, for 30 seconds.",
            next_step="Run `rl-lab sign-in` in a terminal for a new link, or paste the token.",
        )
    if not is_own_user(scope.get("client"), scope.get("server")):
        raise Forbidden(
            "This sign-in link works only for programs of the user who runs the lab.",
            next_step="Sign in with the token from the file `token` in the lab's home folder.",
        )
    keyring.tickets.take(ticket)
