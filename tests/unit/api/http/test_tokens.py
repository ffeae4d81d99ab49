"""Tokens and session cookies."""

from __future__ import annotations

import pytest

from rl_lab.api.http import tokens
from rl_lab.api.http.tokens import Keyring

TOKEN = "x" * 43


def cookie(keyring: Keyring, value: str) -> str:
    return f"theme=dark; {keyring.cookie_name}={value}"


def test_the_token_opens_and_nothing_else_does() -> None:
    keyring = Keyring(TOKEN)
    assert keyring.admits(f"Bearer {TOKEN}", None)
    for wrong in ("Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \udcff", TOKEN):
        assert not keyring.admits(wrong, None)
    assert not keyring.admits(None, None)


def test_a_session_opens_as_long_as_the_token_is_the_same() -> None:
    keyring = Keyring(TOKEN)
    session = keyring.new_session()
    assert keyring.admits(None, cookie(keyring, session))
    assert not Keyring("y" * 43).knows_session(session)


@pytest.mark.parametrize("foreign", ['prefs={"a":1}', "a=b c", "flag", "x[]=1", 'é="', "=", ";;"])
def test_odd_cookies_of_other_programs_on_this_machine_lock_nobody_out(foreign: str) -> None:
    keyring = Keyring(TOKEN)
    session = f"{keyring.cookie_name}={keyring.new_session()}"
    assert keyring.admits(None, f"{foreign}; {session}")
    assert keyring.admits(None, f"{session}; {foreign}")


@pytest.mark.parametrize("forged", ["", ".", "9999999999.a.b", "a.b.c", "9999999999..", "\udcff.\udcff"])
def test_a_forged_session_does_not_open(forged: str) -> None:
    assert not Keyring(TOKEN).knows_session(forged)


def test_a_changed_expiry_breaks_the_session() -> None:
    keyring = Keyring(TOKEN)
    expires, _, rest = keyring.new_session().partition(".")
    assert not keyring.knows_session(f"{int(expires) + 1}.{rest}")


def test_a_session_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = Keyring(TOKEN)
    session = keyring.new_session()
    now = tokens.time.time()
    monkeypatch.setattr(tokens.time, "time", lambda: now + tokens.SESSION_S + 1)
    assert not keyring.knows_session(session)


def test_an_authorization_header_wins_over_the_cookie() -> None:
    keyring = Keyring(TOKEN)
    assert not keyring.admits("Bearer wrong", cookie(keyring, keyring.new_session()))


def test_two_labs_use_different_cookies() -> None:
    assert Keyring(TOKEN).cookie_name != Keyring("y" * 43).cookie_name
