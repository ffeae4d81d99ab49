"""Feeds: what viewers share."""

from __future__ import annotations

import asyncio
import json

from support.waiting import DEADLINE_S

from rl_lab.api.streams.feeds import RING, Feed, Hub, Item, sse_frame
from rl_lab.orchestrator.bus import Bus, Message


def filled(count: int, first: int = 1) -> Feed:
    feed = Feed("run:x:metrics")
    for cursor in range(first, first + count):
        feed.put(Message(feed.topic, cursor, {"id": cursor}))
    return feed


def cursors(items: list[Item] | None) -> list[int] | None:
    return None if items is None else [item.cursor for item in items]


def test_a_viewer_gets_what_came_after_its_cursor() -> None:
    feed = filled(5)
    assert cursors(feed.after(0)) == [1, 2, 3, 4, 5]
    assert cursors(feed.after(3)) == [4, 5]
    assert cursors(feed.after(5)) == []


def test_a_viewer_further_back_than_the_ring_is_sent_to_the_store() -> None:
    feed = filled(RING + 10)
    assert feed.after(9) is None
    assert cursors(feed.after(10)) == list(range(11, RING + 11))


def test_an_empty_feed_sends_to_the_store() -> None:
    assert Feed("run:x:events").after(0) is None


def test_the_same_message_twice_is_kept_once() -> None:
    feed = filled(3)
    feed.put(Message(feed.topic, 3, {"id": 3}))
    assert cursors(feed.after(0)) == [1, 2, 3]


def test_lost_messages_send_everybody_to_the_store() -> None:
    feed = filled(3)
    feed.forget()
    assert feed.after(3) is None


def test_a_topic_of_whole_runs_cannot_be_resumed_from_another_life() -> None:
    feed = Feed("runs")
    start = feed.newest
    assert feed.after(start) == []
    assert feed.after(start - 1) is None
    feed.put(Message("runs", 7, {"id": "a"}))
    assert cursors(feed.after(start)) == [start + 1]


def test_what_one_viewer_read_from_the_store_serves_the_next() -> None:
    feed = filled(2, first=10)
    assert feed.after(5) is None
    feed.prefill([Item(cursor, {"id": cursor}) for cursor in range(6, 12)])
    assert cursors(feed.after(5)) == [6, 7, 8, 9, 10, 11]
    empty = Feed("run:x:metrics")
    empty.prefill([Item(3, {"id": 3})])
    empty.put(Message(empty.topic, 3, {"id": 3}))
    empty.put(Message(empty.topic, 4, {"id": 4}))
    assert cursors(empty.after(2)) == [3, 4]


def test_older_messages_with_a_gap_before_the_ring_are_not_kept() -> None:
    feed = filled(2, first=10)
    feed.prefill([Item(7, {"id": 7})])
    assert feed.after(6) is None


def test_an_item_is_encoded_once_for_all() -> None:
    item = Item(4, {"reward": float("nan"), "text": "a\nb"})
    frame = item.sse("metrics")
    assert item.sse("metrics") is frame
    assert frame == sse_frame("metrics", item.body, 4)
    head, identity, data, *rest = frame.decode().split("\n")
    assert (head, identity, rest) == ("event: metrics", "id: 4", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == {"reward": None, "text": "a\nb"}


def test_the_hub_wakes_viewers_and_forgets_topics_nobody_watches() -> None:
    async def scenario() -> None:
        bus = Bus()
        hub = Hub(bus)
        with hub.viewer() as changed:
            feed = hub.join("run:x:metrics", changed)
            bus.publish("run:x:metrics", 1, {"id": 1})
            await asyncio.wait_for(changed.wait(), DEADLINE_S)
            assert cursors(feed.after(0)) == [1]
            assert bus.has_readers("run:x:metrics")
            hub.leave(feed, changed)
            assert not bus.has_readers("run:x:metrics")
            changed.clear()
            hub.close()
            assert changed.is_set()
        await hub.wait_closed()

    asyncio.run(scenario())
