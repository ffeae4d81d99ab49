"""The episodes of a run: pages of them, the best one, how their returns are distributed, and notes on them."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.episodes import EpisodeRow, ReturnHistogram
from rl_lab.core.errors import NotFound
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store import episode_notes, runs
from rl_lab.store.telemetry import EpisodeFilter, EpisodePage, TelemetryReader


class RunEpisodes:
    def __init__(self, context: Context, queries: RunQueries) -> None:
        self._db = context.db
        self._queries = queries

    async def list_page(
        self,
        run_id: str,
        *,
        sort: str = "-episode",
        limit: int = 50,
        cursor: str | None = None,
        wanted: EpisodeFilter | None = None,
        noted: bool = False,
        around: int | None = None,
    ) -> EpisodePage:
        """`noted`: only episodes that a user wrote about."""
        notes = await self._notes(run_id)
        chosen = (wanted or EpisodeFilter()).among(notes if noted else None)
        page = await self._queries.telemetry(
            run_id,
            lambda telemetry: telemetry.episodes(chosen, sort, limit, cursor, around=around),
            EpisodePage([], None, 0),
        )
        rows = [row.model_copy(update={"note": notes.get(row.episode)}) for row in page.items]
        return EpisodePage(rows, page.next_cursor, page.total, page.skipped)

    async def get(self, run_id: str, episode: int) -> EpisodeRow:
        """One episode; NotFound when the run does not have it."""
        found = await self._find(run_id, episode)
        notes = await self._notes(run_id)
        return found.model_copy(update={"note": notes.get(episode)})

    async def best(self, run_id: str) -> EpisodeRow:
        """The recorded episode with the highest return, the newest of equals; NotFound when none was kept."""
        page = await self.list_page(run_id, sort="-reward", limit=1, wanted=EpisodeFilter(recorded=True))
        if not page.items:
            raise NotFound(
                "No episode of this run is recorded.",
                next_step="Its event log shows what could not be captured; with recording off nothing is kept.",
            )
        return page.items[0]

    async def histogram(self, run_id: str, wanted: EpisodeFilter, bars: int) -> ReturnHistogram:
        """How many of these episodes have which return."""
        from rl_lab.analysis.return_histogram import histogram_of

        return await self._queries.telemetry(
            run_id, lambda telemetry: histogram_of(telemetry.returns(wanted), bars), ReturnHistogram()
        )

    async def put_note(self, run_id: str, episode: int, text: str) -> EpisodeRow:
        """Replaces the note on an episode; an empty text removes it."""
        found = await self._find(run_id, episode)

        def work(conn: Connection) -> None:
            runs.get(conn, run_id)
            episode_notes.put(conn, run_id, episode, text)

        await self._db.write(work)
        return found.model_copy(update={"note": text or None})

    async def _find(self, run_id: str, episode: int) -> EpisodeRow:
        def read(telemetry: TelemetryReader) -> EpisodeRow | None:
            return telemetry.episode(episode)

        found = await self._queries.telemetry(run_id, read, None)
        if found is None:
            raise NotFound(f"This run has no episode {episode}.", next_step="List its episodes.")
        return found

    async def _notes(self, run_id: str) -> dict[int, str]:
        return await self._db.read(lambda conn: episode_notes.list_of(conn, run_id))
