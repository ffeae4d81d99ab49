"""Sign-in sessions as rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from rl_lab.store import sessions
from rl_lab.store.sessions import StoredSession

THEN = datetime(2026, 1, 1, 12, tzinfo=UTC)
ONE = StoredSession(
    id="aaaaaaaaaaaa",
    token_mark="mark",
    cookie_hash="c",
    key_hash="k",
    view_hash="v",
    user_agent="Firefox",
    address="127.0.0.1",
    created_at=THEN,
    last_seen_at=THEN,
)


def test_a_session_is_stored_used_and_dropped(db: Any) -> None:
    two = replace(ONE, id="bbbbbbbbbbbb", last_seen_at=THEN + timedelta(hours=1))
    for session in (ONE, two):
        db.write(lambda conn, session=session: sessions.put(conn, session))
    assert db.read(sessions.list_all) == [two, ONE]
    later = THEN + timedelta(days=1)
    db.write(lambda conn: sessions.note_use(conn, {ONE.id: later, "gone": later}))
    assert db.read(sessions.list_all) == [replace(ONE, last_seen_at=later), two]
    db.write(lambda conn: sessions.drop(conn, {two.id, "gone"}))
    assert [session.id for session in db.read(sessions.list_all)] == [ONE.id]


def test_odd_characters_of_a_browser_are_stored(db: Any) -> None:
    db.write(lambda conn: sessions.put(conn, replace(ONE, user_agent="a\x00b\udcff")))
    assert db.read(sessions.list_all)[0].user_agent.startswith("a")
