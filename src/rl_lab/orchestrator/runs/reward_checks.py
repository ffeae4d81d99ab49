"""The reward of a new training, tried in its environment before the training is created."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeCheck, CodeChoice
from rl_lab.core.workbench.reward_costs import with_cost
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.code_trials import CodeTrials
from rl_lab.orchestrator.execution.reward_files import RewardFiles
from rl_lab.orchestrator.runs.estimates import Estimates
from rl_lab.store.workbench import codes


class RewardChecks:
    def __init__(self, context: Context, trials: CodeTrials, estimates: Estimates) -> None:
        self._db = context.db
        self._files = RewardFiles(context)
        self._trials = trials
        self._estimates = estimates

    async def find(self, config: TrainConfig) -> CodeCheck:
        """What its reward does in its environment, and costs of its speed; InvalidInput without a reward."""
        choice = config.reward
        source = await self._files.find_contents(choice) if choice is not None else None
        if choice is None or source is None:
            raise InvalidInput.of_field("reward", "Choose a saved reward.")
        found = await self._trials.find(CodeKind.reward, source, config.env_id, config.env_kwargs)
        await self._keep(choice, found)
        speed = await self._estimates.speed(config.runner, config.algorithm, config.env_id, own_reward=False)
        return with_cost(found, speed)

    async def require_usable(self, config: TrainConfig) -> list[str]:
        """The warnings; InvalidInput when the training could only fail."""
        if config.reward is None:
            return []
        found = await self.find(config)
        if not found.is_usable:
            raise InvalidInput.of_field("reward", refusal(config.reward, found))
        return [one.sentence for one in found.remarks if one.level == "warning"]

    async def _keep(self, choice: CodeChoice, found: CodeCheck) -> None:
        """With the saved version, unless its author has tried it already."""
        sha256 = choice.sha256 or ""

        def work(conn: Connection) -> None:
            saved = codes.find_contents(conn, CodeKind.reward, sha256)
            if saved is not None and saved.check is None:
                codes.keep_check(conn, CodeKind.reward, sha256, with_cost(found).model_dump(mode="json"))

        if found.calls or not found.is_usable:
            await self._db.write(work)


def refusal(choice: CodeChoice, check: CodeCheck) -> str:
    """Why a training cannot learn from it, with the line."""
    errors = " ".join(one.sentence for one in check.remarks if one.level == "error")
    return (
        f"{choice} does not work here. {errors} Correct it on the Workbench, or with `rl-lab rewards check`."
    )
