"""The user's reward that the policy of an episode learned from, for replays of it."""

from __future__ import annotations

from typing import Any

from rl_lab.core.errors import LabError
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.reward_files import RewardFiles, reward_of
from rl_lab.store import runs


class ShownRewards:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._files = RewardFiles(context)

    async def find_shown(self, run_id: str) -> dict[str, Any] | None:
        """Its code and what its process may use; or why it cannot be executed. None: the environment's own."""
        training = await self._db.read(lambda conn: runs.find_training(conn, run_id))
        choice = reward_of(training.config) if training is not None else None
        if training is None or choice is None:
            return None
        try:
            return await self._files.find_input(training.id, choice)
        except LabError as error:
            return {"name": str(choice), "problem": f"{error.detail} {error.next_step or ''}".strip()}
