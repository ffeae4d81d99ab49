"""The token, and the cookie with its key."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers
from support.sessions import OneSession

from rl_lab.api.http.tokens import Keyring, KnownCaller

TOKEN = "x" * 43
SESSION = OneSession()
KEYRING = Keyring(TOKEN, SESSION)
COOKIE = f"{KEYRING.cookie_name}={SESSION.cookie}"
HOLDER, BROWSER = KnownCaller(None), KnownCaller("one")


def who(**headers: str) -> KnownCaller | None:
    raw = [
        (name.replace("_", "-").encode(), value.encode("latin-1", "surrogateescape"))
        for name, value in headers.items()
    ]
    return KEYRING.find_caller(Headers(raw=raw), None)


def test_the_token_opens_and_nothing_else_does() -> None:
    assert who(authorization=f"Bearer {TOKEN}") == HOLDER
    for wrong in ("Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xff", TOKEN):
        assert who(authorization=wrong) is None
    assert who() is None


@pytest.mark.parametrize("foreign", ['prefs={"a":1}', "a=b c", "flag", "x[]=1", 'é="', "=", ";;"])
def test_odd_cookies_of_other_programs_on_this_machine_lock_nobody_out(foreign: str) -> None:
    for cookie in (f"{foreign}; {COOKIE}", f"{COOKIE}; {foreign}"):
        assert who(cookie=cookie, rl_lab_key=SESSION.key) == BROWSER


def test_an_authorization_header_wins_over_the_cookie() -> None:
    assert who(authorization="Bearer wrong", cookie=COOKIE, rl_lab_key=SESSION.key) is None


def test_two_labs_use_different_cookies() -> None:
    assert KEYRING.cookie_name != Keyring("y" * 43, SESSION).cookie_name
