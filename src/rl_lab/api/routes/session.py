"""A browser hands in the token once and gets a cookie that scripts on the page cannot read."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import KeyringDep, ThrottleDep
from rl_lab.api.http.tokens import SESSION_S
from rl_lab.core.errors import Unauthorised

router = APIRouter(prefix="/api/session", tags=["session"])


class SignIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: str = Field(min_length=1, max_length=200, description="Content of `<home>/token`.")


class SignInState(BaseModel):
    signed_in: bool


@router.get("", operation_id="get_session", openapi_extra={"security": []})
async def get_session(request: Request, keyring: KeyringDep) -> SignInState:
    """Whether this browser or script is signed in."""
    headers = request.headers
    return SignInState(signed_in=keyring.admits(headers.get("authorization"), headers.get("cookie")))


@router.post("", operation_id="sign_in", status_code=201, openapi_extra={"security": []})
async def sign_in(
    body: SignIn, request: Request, response: Response, keyring: KeyringDep, throttle: ThrottleDep
) -> SignInState:
    """Trades the token for a cookie. After five wrong ones an address has to wait, longer each time (429)."""
    address = request.client.host if request.client else "unknown"
    throttle.check(address)
    if not keyring.knows_token(body.token):
        throttle.failed(address)
        raise Unauthorised(
            "This is not the token of this lab.",
            next_step="Open the sign-in link that `rl-lab serve` printed.",
        )
    throttle.succeeded(address)
    response.set_cookie(
        keyring.cookie_name,
        keyring.new_session(),
        max_age=SESSION_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return SignInState(signed_in=True)


@router.delete("", operation_id="sign_out", openapi_extra={"security": []})
async def sign_out(response: Response, keyring: KeyringDep) -> SignInState:
    """Forgets the cookie."""
    response.delete_cookie(keyring.cookie_name, httponly=True, samesite="strict")
    return SignInState(signed_in=False)
