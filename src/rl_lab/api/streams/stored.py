"""Messages that a stream reads from the store, for a client that connects late or has lost messages."""

from __future__ import annotations

from rl_lab.api.streams.feeds import Item
from rl_lab.orchestrator.runs.queries import RunQueries

TICKS_PER_READ = 500
FIRST_TICKS = 100
"""Number of past ticks that a new client gets before the live ones: 25 seconds."""
EVENTS_PER_READ = 200
FIRST_POINTS = 100
"""Number of past points of each series that a new client gets: it has fetched the rest over HTTP before."""


async def stored_events(queries: RunQueries, run_id: str, after: int) -> list[Item]:
    events = await queries.events(run_id, after_id=after, limit=EVENTS_PER_READ)
    return [Item(event.id, event) for event in events]


async def stored_ticks(queries: RunQueries, run_id: str, after: int) -> list[Item]:
    ticks = await queries.ticks(run_id, after=after, limit=TICKS_PER_READ)
    return [Item(tick.id, tick) for tick in ticks]


async def newest_points(queries: RunQueries, run_id: str, cursor: int) -> list[Item]:
    found = await queries.metrics(run_id, tail=FIRST_POINTS, with_derived=False)
    series = {name: one.columns() for name, one in found.items()}
    return [Item(cursor, {"series": series})] if series else []
