"""The bus forgets for slow readers and says so."""

from __future__ import annotations

import asyncio

from rl_lab.orchestrator.bus import Bus


def test_readers_get_their_topics_in_order() -> None:
    async def story() -> None:
        bus = Bus()
        with bus.subscribe(["a"]) as reader:
            bus.publish("a", 1, "x")
            bus.publish("b", 1, "y")
            bus.publish("a", 2, "z")
            assert [(m.cursor, m.item) for m in await reader.take()] == [(1, "x"), (2, "z")]
            assert not reader.take_lagged_flag()
        assert not bus.has_readers("a")

    asyncio.run(story())


def test_a_slow_reader_keeps_the_newest_and_is_told_once() -> None:
    async def story() -> None:
        bus = Bus()
        with bus.subscribe(["a"], capacity=3) as reader:
            for cursor in range(10):
                bus.publish("a", cursor, cursor)
            assert [m.cursor for m in await reader.take()] == [7, 8, 9]
            assert reader.take_lagged_flag()
            assert not reader.take_lagged_flag()

    asyncio.run(story())


def test_closing_ends_every_wait() -> None:
    async def story() -> None:
        bus = Bus()
        reader = bus.subscribe(["a"])
        waiting = asyncio.create_task(reader.take())
        await asyncio.sleep(0)
        bus.close()
        assert await waiting == []
        assert reader.closed

    asyncio.run(story())


def test_a_wait_may_have_an_end() -> None:
    async def story() -> None:
        with Bus().subscribe(["a"]) as reader:
            assert await reader.take(0.01) == []

    asyncio.run(story())
