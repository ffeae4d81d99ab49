"""Plays: players are connected to the workers of their plays; keys and high scores of environments."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from rl_lab.core.errors import InvalidInput, LabError, NotReady
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.plays.controls import PlayControls
from rl_lab.core.plays.messages import SetPolicy
from rl_lab.core.plays.players import PLAYERS, Player
from rl_lab.core.plays.scores import HighScores
from rl_lab.core.runs import FINAL, Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.checkpoint_links import FOLDER
from rl_lab.orchestrator.jobs.live_policies import OtherEnvironment, find_actor, hand_over
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.plays.connections import PlayConnection, connect
from rl_lab.orchestrator.plays.environment_keys import EnvironmentKeys
from rl_lab.orchestrator.plays.high_scores import list_high_scores, name_episodes
from rl_lab.runners.foreign import FILES
from rl_lab.store import runs
from rl_lab.store.files.attempt_folder import newest_attempt
from rl_lab.store.files.folders import RunFolder
from rl_lab.worker.plays.socket_file import SOCKET_FILE

START_S = 60.0
"""How long a player waits for the worker of a play that has just been started."""
LOOK_S = 0.05


class OpenPlay:
    """One connection of a page or script to a play."""

    def __init__(self, connection: PlayConnection, sources: Sources, run: Run) -> None:
        assert isinstance(run.config, PlayConfig)
        self.connection = connection
        self._run = run
        self._sources = sources
        self._config = run.config

    async def send(self, message: dict[str, Any]) -> None:
        """A message of `core/plays/messages.py`, checked by the caller."""
        await self.connection.send(message)

    async def change_policy(self, asked: SetPolicy) -> None:
        """Another model acts, or the reason why it does not goes into the header of the next frame."""
        try:
            policy = await self._find_policy(asked)
        except LabError as refused:
            problem = {"message": refused.detail, "next_step": refused.next_step or ""}
            if isinstance(refused, OtherEnvironment):
                problem |= {
                    **refused.where,
                    "run_id": asked.run_id or "",
                    "checkpoint": asked.checkpoint or "",
                }
            await self.refuse(problem, asked.n)
            return
        message = {"op": "policy", "policy": policy, "deterministic": asked.deterministic, "n": asked.n}
        await self.connection.send(message)

    async def refuse(self, problem: dict[str, Any], n: int = 0) -> None:
        await self.connection.send({"op": "refuse", "problem": problem, "n": n})

    async def _find_policy(self, asked: SetPolicy) -> dict[str, Any] | None:
        if asked.run_id is None:
            return None
        training = await self._sources.get_training(asked.run_id)
        env_id, env_kwargs = self._config.env_id or "", self._config.env_kwargs
        is_confined = self._run.isolation is not None
        policy = await find_actor(
            self._sources, training, asked.checkpoint, env_id, env_kwargs, is_confined=is_confined
        )
        if not is_confined:
            return policy
        # A confined worker reads the folder of its own run only.
        return await hand_over(training, policy, RunFolder(self._sources.home, self._run.id).path / FOLDER)


class Plays:
    def __init__(self, context: Context, sources: Sources) -> None:
        self._db = context.db
        self._folders = context.folders
        self._sources = sources
        self.keys = EnvironmentKeys(context, sources.environments)

    @contextlib.asynccontextmanager
    async def open(self, run_id: str) -> AsyncIterator[OpenPlay]:
        """Waits for a play that is about to start; NotReady for one that has ended."""
        connection, run = await self._connect(await self._get_play(run_id))
        try:
            yield OpenPlay(connection, self._sources, run)
        finally:
            await connection.close()

    async def controls(self, env_id: str) -> PlayControls:
        return await self.keys.get(env_id)

    async def scores(self, env_id: str, limit: int, player: Player | None = None) -> HighScores:
        """The best of each kind of player, or of one kind."""
        environment = await self._sources.environments.get(env_id)
        players = PLAYERS if player is None else (player,)
        found = await self._db.read(lambda conn: list_high_scores(conn, environment, limit, players))
        return await asyncio.to_thread(
            name_episodes, found, lambda run_id: self._folders.find(run_id).telemetry
        )

    async def _get_play(self, run_id: str) -> Run:
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        if not isinstance(run.config, PlayConfig):
            raise InvalidInput.of_field("run_id", f"“{run.name}” is not a play.")
        return run

    async def _connect(self, run: Run) -> tuple[PlayConnection, Run]:
        """With the run as it is now: how it is isolated is known once it has started."""
        deadline = asyncio.get_running_loop().time() + START_S
        while True:
            found = await self._try_connection(run)
            if found is not None:
                return found, run
            run = await self._get_play(run.id)
            if run.status in FINAL:
                raise _ended(run)
            if asyncio.get_running_loop().time() > deadline:
                raise NotReady(
                    "The play has not started yet.", next_step="Its event log says what it waits for."
                )
            await asyncio.sleep(LOOK_S)

    async def _try_connection(self, run: Run) -> PlayConnection | None:
        folder = self._folders.find(run.id).path
        if run.isolation is not None:
            return await connect(folder / FILES / SOCKET_FILE)
        attempt = await asyncio.to_thread(newest_attempt, folder)
        return await connect(attempt / SOCKET_FILE) if attempt is not None else None


def _ended(run: Run) -> NotReady:
    why = f" {run.reason.message}" if run.reason is not None else ""
    return NotReady(
        f"This play has ended.{why}", next_step="Its episodes can be replayed; start another play to go on."
    )
