"""Sign-in sessions: who is known, for how long, and what happens at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import NotFound
from rl_lab.core.sessions import LONGEST, LONGEST_UNUSED, MOST_SESSIONS
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.sessions import Sessions
from rl_lab.store import sessions as store

TOKEN = "t" * 43
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def scenario(home: Path, work: Callable[[Context, Sessions, Clock], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = Clock()
        async with temporary_context(home) as context:
            sessions = await reopened(context, clock)
            await work(context, sessions, clock)

    asyncio.run(run())


async def reopened(context: Context, clock: Clock, token: str = TOKEN) -> Sessions:
    """What a lab knows that starts now."""
    sessions = Sessions(context, token, clock)
    await sessions.open()
    await sessions.close()
    return sessions


def test_the_cookie_opens_with_one_of_its_keys_and_never_alone(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        one = await sessions.create(FIREFOX, "127.0.0.1")
        other = await sessions.create(FIREFOX, "127.0.0.1")
        session_id = one.cookie.partition(".")[0]
        assert sessions.find(one.cookie, key=one.key) == session_id
        assert sessions.find(one.cookie, view_key=one.view_key) == session_id
        assert sessions.find(one.cookie) is None
        assert sessions.find(one.cookie, key=other.key) is None
        assert sessions.find(one.cookie, key=one.view_key) is None
        assert sessions.find(one.cookie, view_key=one.key) is None
        for forged in ("", ".", session_id, f"{session_id}.", f"{session_id}.x", "\udcff.\udcff"):
            assert sessions.find(forged, key=one.key, view_key=one.view_key) is None

    scenario(tmp_path, work)


def test_only_hashes_are_stored(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        secrets = await sessions.create(FIREFOX, "127.0.0.1")
        [stored] = await context.db.read(store.list_all)
        for secret in (secrets.cookie.partition(".")[2], secrets.key, secrets.view_key, TOKEN):
            assert secret not in repr(stored)

    scenario(tmp_path, work)


def test_a_restarted_lab_knows_its_browsers_and_a_new_token_ends_them_all(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        secrets = await sessions.create(FIREFOX, "127.0.0.1")
        assert (await reopened(context, clock)).find(secrets.cookie, key=secrets.key)
        renewed = await reopened(context, clock, token="n" * 43)
        assert renewed.find(secrets.cookie, key=secrets.key) is None
        assert await context.db.read(store.list_all) == []

    scenario(tmp_path, work)


def test_a_session_ends_when_it_is_not_used(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        used, unused = [await sessions.create(FIREFOX, "127.0.0.1") for _ in range(2)]
        clock.now += LONGEST_UNUSED - timedelta(seconds=1)
        assert sessions.find(used.cookie, key=used.key)
        clock.now += timedelta(seconds=1)
        assert sessions.find(used.cookie, key=used.key)
        assert sessions.find(unused.cookie, key=unused.key) is None
        await sessions._tidy()
        assert len(await context.db.read(store.list_all)) == 1
        assert (await reopened(context, clock)).find(used.cookie, key=used.key), "its use was written"

    scenario(tmp_path, work)


def test_a_session_ends_after_a_month_also_when_it_is_used(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        secrets = await sessions.create(FIREFOX, "127.0.0.1")
        for _ in range(LONGEST.days - 1):
            clock.now += timedelta(days=1)
            assert sessions.find(secrets.cookie, key=secrets.key)
        clock.now += timedelta(days=1)
        assert sessions.find(secrets.cookie, key=secrets.key) is None

    scenario(tmp_path, work)


def test_open_connections_count_as_use_and_are_closed_at_the_end(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        secrets = await sessions.create(FIREFOX, "127.0.0.1")
        session_id = secrets.cookie.partition(".")[0]
        closed: list[str] = []
        with sessions.at_end(session_id, lambda: closed.append("open")):
            with sessions.at_end(session_id, lambda: closed.append("left before")):
                pass
            clock.now += LONGEST_UNUSED - timedelta(hours=1)
            await sessions._tidy()
            clock.now += LONGEST_UNUSED - timedelta(hours=1)
            assert sessions.find(secrets.cookie, key=secrets.key)
            await sessions.end(session_id)
            assert closed == ["open"]
        with sessions.at_end(session_id, lambda: closed.append("too late")):
            assert closed == ["open", "too late"]
        assert sessions.find(secrets.cookie, key=secrets.key) is None
        with pytest.raises(NotFound):
            await sessions.end(session_id)

    scenario(tmp_path, work)


def test_browsers_are_listed_in_words_and_all_others_can_be_ended(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        first = await sessions.create(FIREFOX, "127.0.0.1")
        clock.now += timedelta(minutes=5)
        await sessions.create("curl/8.5.0", "10.0.0.7")
        current = first.cookie.partition(".")[0]
        newest, oldest = sessions.list_all(current)
        assert (newest.browser, newest.system, newest.address) == ("curl 8", "", "10.0.0.7")
        assert (oldest.browser, oldest.system, oldest.is_current) == ("Firefox 142", "Linux", True)
        assert oldest.ends_at == oldest.last_seen_at + LONGEST_UNUSED
        assert [ended.id for ended in await sessions.end_others(current)] == [newest.id]
        assert [session.id for session in sessions.list_all()] == [current]

    scenario(tmp_path, work)


def test_many_sign_ins_end_the_session_that_was_not_used_for_longest(tmp_path: Path) -> None:
    async def work(context: Context, sessions: Sessions, clock: Clock) -> None:
        made = []
        for _ in range(MOST_SESSIONS + 1):
            clock.now += timedelta(seconds=1)
            made.append(await sessions.create(FIREFOX, "127.0.0.1"))
        assert sessions.find(made[0].cookie, key=made[0].key) is None
        assert all(sessions.find(one.cookie, key=one.key) for one in made[1:])

    scenario(tmp_path, work)
