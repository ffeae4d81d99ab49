"""The reward of a new training: its exact contents, and their copy in the run's folder."""

from __future__ import annotations

import asyncio

from pydantic import ValidationError

from rl_lab.core.errors import InvalidInput, LabError, NotFound
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.core.words.validation_messages import plain_message
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeChoice, NewCode, RunReward, code_hash
from rl_lab.orchestrator.code_syntax import require_syntax
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.reward_files import RewardFiles, reward_of, write_copy
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.registry import find_spec
from rl_lab.store import runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.workbench import codes

FIELD, SOURCE_FIELD = "reward", "reward_source"


class OwnRewards:
    def __init__(self, context: Context) -> None:
        self._db, self._home = context.db, context.home
        self._files = RewardFiles(context)

    async def complete(self, new: NewRun) -> NewRun:
        """The request with name, version and hash of the reward; InvalidInput when the lab does not have it."""
        if new.reward is None:
            if new.reward_source is not None:
                raise InvalidInput.of_field(FIELD, "Name the reward whose code is given in reward_source.")
            return new
        if not find_spec(new.runner).capabilities.own_reward:
            return new  # refused together with the other wrong fields
        choice = await self._find(new.reward, new.reward_source, new.env_id)
        return new.model_copy(update={FIELD: choice, SOURCE_FIELD: None})

    async def require_consent(self, config: TrainConfig, given: str | None) -> None:
        """ConsentNeeded on a machine that cannot confine the reward, unless its contents are approved."""
        choice = config.reward
        if choice is not None and choice.sha256 is not None:
            await self._files.consents.require(choice.sha256, f"the reward {choice}", given)

    async def place(self, run: Run) -> None:
        """Puts the code into the folder of a new run."""
        choice = reward_of(run.config)
        if choice is None:
            return
        source = await self._files.find_contents(choice)
        if source is None:
            raise _gone(choice)
        await asyncio.to_thread(write_copy, RunFolder(self._home, run.id), source)

    async def read(self, run_id: str) -> RunReward:
        """The reward that a training learns from; NotFound if that is the environment's own."""
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        choice = reward_of(run.config)
        if choice is None:
            what = "learns from the environment's own reward" if is_training(run) else "is not a training"
            raise NotFound(f"“{run.name}” {what}.", next_step="Choose a training with a reward of your own.")
        return RunReward(choice=choice, source=await self._files.read(run_id, choice))

    async def _find(self, choice: CodeChoice, source: str | None, env_id: str) -> CodeChoice:
        if source is not None:
            return await self._save(choice, source, env_id)
        try:
            found = await self._db.read(lambda conn: codes.get_version(conn, CodeKind.reward, choice))
        except LabError as error:
            # Run again, or a study that continues: its runs have copies of what is no longer saved.
            if await self._files.find_contents(choice) is not None:
                return choice
            raise InvalidInput.of_field(FIELD, f"{error.detail} {error.next_step or ''}".strip()) from None
        return CodeChoice(name=found.name, version=found.version, sha256=found.sha256)

    async def _save(self, choice: CodeChoice, source: str, env_id: str) -> CodeChoice:
        """The code comes with the request: it is saved first, unless the lab has it."""
        await require_syntax(source, CodeKind.reward, SOURCE_FIELD)
        if choice.sha256 not in (None, code_hash(source)):
            raise InvalidInput.of_field(SOURCE_FIELD, f"This is not the code of {choice}: its hash differs.")
        new = _as_code(choice.name, source, env_id)
        saved = await self._db.write(lambda conn: codes.save(conn, CodeKind.reward, new))
        return CodeChoice(name=saved.name, version=saved.version, sha256=saved.sha256)


def _as_code(name: str, source: str, env_id: str) -> NewCode:
    try:
        return NewCode(name=name, source=source, env_id=env_id)
    except ValidationError as error:
        # Only the name: everything else was checked with the request.
        wrong = " ".join(plain_message(dict(one)) for one in error.errors())
        raise InvalidInput.of_field(f"{FIELD}.name", wrong) from None


def is_training(run: Run) -> bool:
    return isinstance(run.config, TrainConfig)


def _gone(choice: CodeChoice) -> InvalidInput:
    return InvalidInput.of_field(FIELD, f"The reward {choice} was deleted while the run was created.")
