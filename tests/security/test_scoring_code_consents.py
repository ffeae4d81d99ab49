"""Without Landlock, rewards and evaluation code are executed only after their contents were approved."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, wait_for

from rl_lab.core.errors import ConsentNeeded
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.runs import Run
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeChoice, CodeQuestion, NewCode, code_hash
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import code_consents, looking
from rl_lab.orchestrator.foreign import isolation
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store import consents
from rl_lab.store.workbench import codes

MARK = "import pathlib\npathlib.Path({mark!r}).write_text('executed')\n\n"
SOURCES = {
    CodeKind.reward: "def reward_function(reward):\n    return reward\n",
    CodeKind.evaluation: "def evaluate(episode):\n    return {'x': 1.0}\n",
}
CHOICE = CodeChoice(name="marked", version=1)
Sources = dict[CodeKind, str]


async def _train(lab: Lab, reward: CodeChoice | None = None) -> Run:
    brief = {"total_timesteps": 200, "evaluate_after": 0, "start": True}
    run = await lab.runs.create(
        NewRun(env_id="CartPole-v1", algorithm="ppo", runner="turbo", reward=reward, **brief)
    )
    ended = await wait_for(lab, run.id)
    assert ended.status == "succeeded", ended.reason
    return ended


async def check_reward(lab: Lab, sources: Sources) -> None:
    asked = CodeQuestion(source=sources[CodeKind.reward], env_id="CartPole-v1")
    assert (await lab.workbench.checks.check(CodeKind.reward, asked)).isolation == "none"


async def check_evaluation(lab: Lab, sources: Sources) -> None:
    asked = CodeQuestion(source=sources[CodeKind.evaluation], env_id="CartPole-v1")
    assert (await lab.workbench.checks.check(CodeKind.evaluation, asked)).isolation == "none"


async def train_with_reward(lab: Lab, _: Sources) -> None:
    await _train(lab, CHOICE)


async def evaluate_with_code(lab: Lab, _: Sources) -> None:
    trained = await _train(lab)
    job = await lab.jobs.start(EvaluateConfig(run_id=trained.id, episodes=1, code=CHOICE))
    ended = await wait_for(lab, job.id)
    assert ended.status == "succeeded", ended.reason


@pytest.mark.parametrize("way", [check_reward, check_evaluation, train_with_reward, evaluate_with_code])
def test_it_is_executed_only_after_its_contents_were_approved(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    way: Callable[[Lab, Sources], Awaitable[None]],
) -> None:
    furnish(home)
    for module in (looking, code_consents, isolation):
        monkeypatch.setattr(module, "probe", lambda: Available("linux"))
    mark = tmp_path / "executed"
    sources = {kind: MARK.format(mark=str(mark)) + source for kind, source in SOURCES.items()}
    kind = CodeKind.reward if "reward" in way.__name__ else CodeKind.evaluation
    needed = code_hash(sources[kind])

    async def story() -> None:
        async with open_lab(home) as lab:
            db = lab.context.db
            for one, source in sources.items():
                new = NewCode(name=CHOICE.name, source=source)
                await db.write(lambda conn, one=one, new=new: codes.save(conn, one, new))
            with pytest.raises(ConsentNeeded, match="Not isolated") as refused:
                await way(lab, sources)
            assert [one.allowed for one in refused.value.errors] == [[needed]]
            assert not mark.exists()
            await db.write(lambda conn: consents.put(conn, needed, "for the test"))
            await way(lab, sources)
            assert mark.exists()

    asyncio.run(story())
