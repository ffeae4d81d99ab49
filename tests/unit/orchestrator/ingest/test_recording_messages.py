"""The ingest reports on the bus that a recording grew: after its commit, and only to readers."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from rl_lab.orchestrator.bus import Bus, recordings_topic
from rl_lab.orchestrator.ingest.thread import Ingest


class Tail(SimpleNamespace):
    """One stretch of a journal is read and committed with each `advance`."""

    run_id = "run"
    folder_gone = is_blocked = has_new_recordings = was_sorted = False
    retry_at = points_due_at = 0.0
    new_points = ()
    evidence = (True, False, False)

    def advance(self, _: Any) -> bool:
        self.committed_ticks: list[Any] = []
        self.has_new_recordings = self.adds_recording
        return True


async def messages_after(*, adds_recording: bool) -> list[Any]:
    bus = Bus()
    context: Any = SimpleNamespace(settings=None, db=None, bus=bus, changes=None)
    ingest: Any = Ingest(context, lambda run_id: None)
    ingest._loop = asyncio.get_running_loop()
    tail = Tail(adds_recording=adds_recording)
    ingest._advance(tail)  # without a reader: nothing is kept for later
    with bus.subscribe([recordings_topic("run")]) as grown:
        await asyncio.to_thread(ingest._advance, tail)
        return await grown.take(0.0)


def test_a_committed_recording_is_reported_once() -> None:
    assert len(asyncio.run(messages_after(adds_recording=True))) == 1


def test_a_commit_without_a_recording_is_not_reported() -> None:
    assert asyncio.run(messages_after(adds_recording=False)) == []
