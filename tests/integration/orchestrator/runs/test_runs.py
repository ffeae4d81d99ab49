"""Runs of the fake runner through a real lab, its guardians and workers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for, wait_for_event, wait_for_step

from rl_lab.core.errors import MoveRefused, NotReady
from rl_lab.core.runs import RunStatus
from rl_lab.guardian.processes import find_survivors
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.runs.requests import NewRun, RunPatch


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


def test_a_run_leaves_config_metrics_model_and_checkpoints(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=2000))
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.succeeded
            assert ended.progress.timestep == 2000
            assert ended.progress.fraction == 1.0
            assert ended.summary.mean_reward is not None
            counters = await lab.queries.counters(run.id)
            assert counters["sent"] == counters["stored"]
            assert counters["type:episode"] == ended.progress.episodes == 100
            kinds = {a.kind for a in await lab.queries.artifacts(run.id)}
            assert {"checkpoint", "model", "config", "metrics"} <= kinds
            assert (await lab.queries.metrics(run.id))["reward"].total == 100
            ticks = await lab.queries.ticks(run.id)
            assert [t.id for t in ticks] == list(range(1, len(ticks) + 1))
            assert ticks[-1].timestep == 2000

        folder = home / "runs" / run.id
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        assert [x["episode"] for x in lines if x["type"] == "episode"] == list(range(100))
        assert sum(x["type"] == "update" for x in lines) == counters["type:metric"]
        assert json.loads((folder / "metrics.json").read_text())["status"] == "succeeded"
        assert json.loads((folder / "config.json").read_text())["seed"] == 1
        assert (folder / "model.json").exists()

    asyncio.run(story())


def test_a_stopped_run_resumes_from_its_checkpoint_and_counts_on(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=4000, steps_per_second=2000))
            await wait_for_step(lab, run.id, 400)
            assert (await lab.runs.move(run.id, "stop")).status is RunStatus.stopping
            stopped = await wait_for(lab, run.id)
            assert stopped.status is RunStatus.stopped
            assert stopped.reason is not None
            assert "Resume continues from the checkpoint" in stopped.reason.next_step
            assert (await lab.runs.move(run.id, "resume")).status is RunStatus.queued
            ended = await wait_for(lab, run.id, RunStatus.succeeded)
            assert ended.attempt == 2
            assert ended.progress.timestep == 4000
            page = await lab.runs.episodes.list_page(run.id, sort="episode", limit=500)
            assert [row.episode for row in page.items] == list(range(page.total))
            assert sum(row.length for row in page.items) == 4000
            types = [event.type for event in await lab.queries.events(run.id)]
            assert "resume_not_exact" not in types, "the toy resumes exactly"
            assert "; exact: " in " ".join((await lab.queries.report(run.id, "text")).split())

    asyncio.run(story())


def test_whether_a_resume_is_exact_is_in_the_event_log_and_the_report(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            new = NewRun(env_id="CartPole-v1", algorithm="ppo", runner="sb3", total_timesteps=1_000_000)
            run = await lab.runs.create(new.model_copy(update={"start": True, "params": {"n_steps": 64}}))
            await wait_for_step(lab, run.id, 128)
            await lab.runs.move(run.id, "stop")
            await wait_for(lab, run.id, RunStatus.stopped)
            await lab.runs.move(run.id, "resume")
            noted = await wait_for_event(lab, run.id, "resume_exact")
            assert noted.message.startswith("Resumed from step ")
            report = " ".join((await lab.queries.report(run.id, "text")).split())
            assert noted.message.partition(":")[0] in report

    asyncio.run(story())


def test_pause_waits_for_the_worker_and_resume_goes_on(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=3000, steps_per_second=2000))
            await wait_for_step(lab, run.id, 200)
            asked = await lab.runs.move(run.id, "pause")
            assert asked.paused_wanted
            paused = await wait_for(lab, run.id, RunStatus.paused)
            assert not paused.paused_wanted
            assert paused.allowed == ["stop", "resume"]
            await lab.runs.move(run.id, "resume")
            assert (await wait_for(lab, run.id)).status is RunStatus.succeeded

    asyncio.run(story())


@pytest.mark.parametrize(
    ("misbehaviour", "cause", "words"),
    [
        ({"crash_at": 100}, "crashed", "because of crash_at"),
        ({"missing_at": 100}, "missing-package", "ale_py"),
        ({"oom_at": 100}, "out-of-memory", "memory"),
        ({"nan_at": 100}, "diverged", "diverged"),
        ({"exit_at": 100, "exit_code": 3}, "exit:3", "exit code 3"),
        ({"exit_at": 100, "exit_code": 0}, "no-finished-event", "without a final `finished` event"),
        ({"kill_at": 100}, "killed:9", "SIGKILL"),
        ({"lie": True}, "exit:3", "reported the outcome “succeeded”"),
    ],
)
def test_every_failure_is_explained(home: Path, misbehaviour: dict[str, int], cause: str, words: str) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=400, **misbehaviour))
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.failed
            assert ended.reason is not None
            assert ended.reason.cause == cause
            assert words in ended.reason.message
            assert ended.reason.next_step

    asyncio.run(story())


def test_a_worker_that_forks_and_ignores_everything_is_ended_with_its_children(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home, stop_grace_s=0.3, kill_grace_s=0.3) as lab:
            run = await lab.runs.create(
                toy(total_timesteps=10**8, steps_per_second=500, ignore_stop=True, fork_children=3)
            )
            await wait_for_step(lab, run.id, 40)
            assert len(find_survivors(run.id, 1)) == 4
            await lab.runs.move(run.id, "stop")
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.stopped
            assert ended.reason is not None
            assert ended.reason.cause == "stopped-by-force"
            assert find_survivors(run.id, 1) == []

    asyncio.run(story())


def test_garbage_is_counted_and_every_good_line_is_stored(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=2000, garbage=2.5, big_line_at=500))
            assert (await wait_for(lab, run.id)).status is RunStatus.succeeded
            counters = await lab.queries.counters(run.id)
            assert counters["type:episode"] == 100
            assert counters["broken"] > 100
            assert counters["unknown"] > 10
            warnings = [e for e in await lab.queries.events(run.id, limit=500) if e.type == "broken_line"]
            assert len(warnings) == 1
        kept = (home / "runs" / run.id / "attempts" / "1" / "broken.txt").read_text("utf-8", "replace")
        assert kept.count("\n") == 20

    asyncio.run(story())


def test_a_run_whose_folder_is_deleted_fails_and_the_lab_lives_on(home: Path) -> None:
    import shutil

    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=500))
            await wait_for_step(lab, run.id, 100)
            shutil.rmtree(home / "runs" / run.id)
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.failed
            assert ended.reason is not None
            assert ended.reason.cause == "folder-gone"
            assert find_survivors(run.id, 1) == []
            other = await lab.runs.create(toy(total_timesteps=200))
            assert (await wait_for(lab, other.id)).status is RunStatus.succeeded

    asyncio.run(story())


def test_the_queue_takes_the_highest_priority_first(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home, max_running=1) as lab:
            first = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=500))
            await wait_for(lab, first.id, RunStatus.running)
            low = await lab.runs.create(toy(total_timesteps=200, priority=0))
            high = await lab.runs.create(toy(total_timesteps=200, priority=5))
            assert (await lab.queries.get_run(high.id)).status is RunStatus.queued
            await lab.runs.move(first.id, "stop")
            done_high, done_low = await wait_for(lab, high.id), await wait_for(lab, low.id)
            assert done_high.started_at is not None
            assert done_low.started_at is not None
            assert done_high.started_at < done_low.started_at

    asyncio.run(story())


def test_a_deleted_run_can_be_brought_back_and_a_live_one_cannot_be_deleted(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=500))
            await wait_for(lab, run.id, RunStatus.running)
            with pytest.raises(MoveRefused, match="cannot be deleted"):
                await lab.runs.delete(run.id)
            await lab.runs.move(run.id, "stop")
            await wait_for(lab, run.id)
            assert (await lab.runs.delete(run.id)).deleted_at is not None
            assert (await lab.queries.list_runs()).total == 0
            assert (await lab.runs.restore(run.id)).deleted_at is None
            assert (await lab.queries.list_runs()).total == 1

    asyncio.run(story())


def test_a_deleted_run_is_gone_after_its_undo_time(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home, undo_s=0.0) as lab:
            run = await lab.runs.create(toy(start=False))
            folder = home / "runs" / run.id
            assert folder.is_dir()
            await lab.runs.delete(run.id)
            await lab.housekeeping.janitor.sweep()
            assert not folder.exists()
            assert list((home / "trash").iterdir()) == []

    asyncio.run(story())


def test_old_checkpoints_are_pruned_and_the_event_log_says_so(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home, checkpoints_kept=2) as lab:
            run = await lab.runs.create(toy(total_timesteps=2000, checkpoint_every=200))
            await wait_for(lab, run.id, RunStatus.succeeded)
            await wait_for_event(lab, run.id, "pruned")
            await lab.context.tasks.wait()
            kept = [a for a in await lab.queries.artifacts(run.id) if a.kind == "checkpoint"]
            assert sorted(a.role or "" for a in kept) == ["final", "interval", "interval"]
            assert len(list((home / "runs" / run.id / "checkpoints").iterdir())) == 3

    asyncio.run(story())


def test_too_little_disk_refuses_a_start_in_words(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home, min_free_bytes=1 << 60) as lab:
            with pytest.raises(NotReady, match="are free on the disk"):
                await lab.runs.create(toy())
            assert (await lab.queries.list_runs()).total == 0
            created = await lab.runs.create(toy(start=False))
            with pytest.raises(NotReady):
                await lab.runs.move(created.id, "start")

    asyncio.run(story())


def test_a_run_without_a_checkpoint_cannot_be_resumed(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(crash_at=20))
            assert (await wait_for(lab, run.id)).status is RunStatus.failed
            with pytest.raises(NotReady, match="No checkpoint was saved"):
                await lab.runs.move(run.id, "resume")

    asyncio.run(story())


def test_a_damaged_checkpoint_is_not_resumed_from(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=2000, checkpoint_every=500, crash_at=1900))
            await wait_for(lab, run.id)
            checkpoints = sorted((home / "runs" / run.id / "checkpoints").iterdir())
            checkpoints[-1].write_text("torn")
            found = await Checkpoints(lab.context).find_newest_whole(run.id)
            assert found is not None
            assert found.path.endswith(checkpoints[-2].name)

    asyncio.run(story())


def test_labels_are_changed_and_found_again(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(start=False))
            await lab.runs.patch(run.id, RunPatch(name="My run", tags=["a", "b"], archived=True))
            again = await lab.queries.get_run(run.id)
            assert (again.name, again.tags, again.archived) == ("My run", ["a", "b"], True)

    asyncio.run(story())
