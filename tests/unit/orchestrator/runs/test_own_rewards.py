"""The reward of a new training: resolved to exact contents, copied into its folder, found again when it is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.contexts import CONFIG, add_run, temporary_context

from rl_lab.core.errors import InvalidInput, NotFound, NotReady
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.policy_jobs import EvaluateConfig, ForkConfig
from rl_lab.core.runs import Run
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeChoice, NewCode, code_hash
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.reward_files import REWARD_FILE, RewardFiles
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.orchestrator.runs.own_rewards import OwnRewards
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.orchestrator.workbench.codes import Codes
from rl_lab.store import runs

pytestmark = pytest.mark.anyio
SOURCE = "def reward_function(reward):\n    return 2 * reward\n"
EXACT = CodeChoice(name="double", version=1, sha256=code_hash(SOURCE))


async def ignore(_kind: CodeKind, _sha256: str) -> None:
    """Nothing was tried before."""


async def save(context: Context, source: str = SOURCE) -> None:
    await Codes(context, ignore).save(CodeKind.reward, NewCode(name="double", source=source))


def asked(**choice: object) -> NewRun:
    return NewRun(
        env_id="CartPole-v1",
        algorithm="ppo",
        runner="turbo",
        reward=CodeChoice(**{"name": "double", **choice}),
    )


async def add_training(context: Context) -> Run:
    run = await add_run(context, config=CONFIG.model_copy(update={"reward": EXACT}))
    await OwnRewards(context).place(run)
    return run


async def test_a_name_becomes_name_version_and_hash(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        await save(context)
        done = await OwnRewards(context).complete(asked())
    assert done.reward == EXACT


async def test_an_unknown_reward_is_an_error_of_its_field_with_the_nearest_name(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        await save(context)
        with pytest.raises(InvalidInput, match=r"Did you mean double\?") as caught:
            await OwnRewards(context).complete(asked(name="doubel"))
    assert [error.field for error in caught.value.errors] == ["reward"]


async def test_code_that_comes_with_the_request_is_saved_under_its_name(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        new = asked(sha256=EXACT.sha256).model_copy(update={"reward_source": SOURCE})
        done = await OwnRewards(context).complete(new)
        saved = await Codes(context, ignore).get(CodeKind.reward, "double")
    assert done.reward == EXACT
    assert done.reward_source is None
    assert saved.versions[0].source == SOURCE


async def test_code_with_another_hash_than_the_configuration_names_is_refused(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        new = asked(sha256="0" * 64).model_copy(update={"reward_source": SOURCE})
        with pytest.raises(InvalidInput, match="reward_source"):
            await OwnRewards(context).complete(new)


async def test_a_run_is_repeated_after_its_saved_reward_was_deleted(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        await save(context)
        await add_training(context)
        await Codes(context, ignore).remove(CodeKind.reward, "double")
        done = await OwnRewards(context).complete(asked(version=1, sha256=EXACT.sha256))
        again = await add_training(context)
        read = await OwnRewards(context).read(again.id)
    assert done.reward == EXACT
    assert read.source == SOURCE


async def test_a_missing_copy_is_written_again_and_a_changed_one_is_named(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        await save(context)
        run = await add_training(context)
        copy = tmp_path / "runs" / run.id / REWARD_FILE
        copy.unlink()
        assert await RewardFiles(context).read(run.id, EXACT) == SOURCE
        assert copy.read_text() == SOURCE
        copy.write_text("changed")
        with pytest.raises(NotReady, match=f"{REWARD_FILE} was changed"):
            await RewardFiles(context).read(run.id, EXACT)


async def test_a_copy_that_is_nowhere_is_named(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        run = await add_run(context, config=CONFIG.model_copy(update={"reward": EXACT}))
        with pytest.raises(NotReady, match=f"{run.id}/{REWARD_FILE} is not there"):
            await RewardFiles(context).find_input(run.id, EXACT)


async def test_a_training_without_an_own_reward_has_none_to_show(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        run = await add_run(context)
        assert await RewardFiles(context).find_input(run.id, None) is None
        with pytest.raises(NotFound, match="environment's own reward"):
            await OwnRewards(context).read(run.id)


@pytest.mark.parametrize("name", ["bench", "../x", "v2", " "])
async def test_a_name_that_cannot_be_saved_is_an_error_of_its_field(tmp_path: Path, name: str) -> None:
    async with temporary_context(tmp_path) as context:
        new = asked(name=name).model_copy(update={"reward_source": SOURCE})
        with pytest.raises(InvalidInput) as caught:
            await OwnRewards(context).complete(new)
    (error,) = caught.value.errors
    assert error.field == "reward.name"
    assert error.message


async def test_what_belongs_to_a_training_is_scored_by_its_reward(tmp_path: Path) -> None:
    """Also a fork of an episode of its evaluation."""
    async with temporary_context(tmp_path) as context:
        await save(context)
        training = await add_training(context)
        evaluation = await add_child(context, training, EvaluateConfig(run_id=training.id))
        fork = await add_child(context, evaluation, ForkConfig(run_id=evaluation.id, episode=0, step=0))
        files = RewardFiles(context)
        found = [await files.find_behind(run.id) for run in (training, evaluation, fork)]
        assert [one["reward"]["source"] for one in found] == [SOURCE] * 3
        await Codes(context, ignore).remove(CodeKind.reward, "double")
        (context.folders.find(training.id).path / REWARD_FILE).unlink()
        assert await files.find_behind(fork.id) == {}, "its code is gone"
        assert await files.find_behind((await add_run(context)).id) == {}


async def add_child(context: Context, parent: Run, config: JobConfig) -> Run:
    new = new_run(config, name="child", parent_id=parent.id)
    return await context.db.write(lambda conn: runs.insert(conn, new))
