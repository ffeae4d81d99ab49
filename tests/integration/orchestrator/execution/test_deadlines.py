"""States that must pass have a deadline; silence alone never kills. And a journal in many segments."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.labs import furnish, open_lab, toy, wait_for, wait_for_event, wait_for_step

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.ingest.journal_reader import JournalReader, first_position
from rl_lab.store.files.attempt_folder import AttemptFolder


def test_a_pause_the_worker_never_reaches_is_withdrawn(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            lab.execution.supervisor.pause_deadline_s = 0.3
            run = await lab.runs.create(toy(hang_at=40, steps_per_second=1000))
            await wait_for_step(lab, run.id, 20)
            assert (await lab.runs.move(run.id, "pause")).paused_wanted
            event = await wait_for_event(lab, run.id, "pause_withdrawn")
            assert event.level == "warning"
            again = await lab.queries.get_run(run.id)
            assert again.status is RunStatus.running
            assert not again.paused_wanted

    asyncio.run(story())


def test_a_silent_worker_is_mentioned_and_left_alone(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            lab.execution.supervisor.stalled_s = 0.3
            run = await lab.runs.create(toy(hang_at=40, steps_per_second=1000))
            await wait_for_event(lab, run.id, "stalled")
            assert (await lab.queries.get_run(run.id)).status is RunStatus.running

    asyncio.run(story())


def test_a_worker_that_hangs_in_its_stop_is_ended_by_force(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home, stop_grace_s=0.2, kill_grace_s=0.2) as lab:
            run = await lab.runs.create(toy(hang_at=40, steps_per_second=1000))
            await wait_for_step(lab, run.id, 20)
            await lab.runs.move(run.id, "stop")
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.stopped
            assert ended.reason is not None
            assert ended.reason.cause == "stopped-by-force"

    asyncio.run(story())


def test_a_damaged_telemetry_is_put_aside_and_the_run_goes_on(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(start=False, total_timesteps=400))
            (home / "runs" / run.id / "telemetry.db").write_bytes(b"this is no database" * 100)
            await lab.runs.move(run.id, "start")
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.succeeded
            assert (await lab.queries.counters(run.id))["type:episode"] == 20
            assert list((home / "runs" / run.id).glob("damaged-*"))

    asyncio.run(story())


def test_segments_are_read_in_order_and_dropped_when_stored(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / f"{number:06d}.jsonl").write_bytes(b"%d\n" % number * 3)
    journal = JournalReader(tmp_path, first_position(tmp_path, 1))
    read = b""
    while data := journal.read():
        read += data
    assert read == b"1\n1\n1\n2\n2\n2\n3\n3\n3\n"
    journal.drop_read_segments()
    assert [p.name for p in tmp_path.iterdir()] == ["000003.jsonl"]
    assert first_position(tmp_path, 1) == (1, 3, 0)
    with (tmp_path / "000003.jsonl").open("ab") as file:
        file.write(b"half")
    assert journal.read() == b""
    with (tmp_path / "000003.jsonl").open("ab") as file:
        file.write(b" and whole\nhalf")
    assert journal.read() == b"half and whole\n"
    journal.close()


def test_commands_to_nobody_are_not_lost_silently(tmp_path: Path) -> None:
    assert not AttemptFolder(tmp_path, 1).send("stop")
