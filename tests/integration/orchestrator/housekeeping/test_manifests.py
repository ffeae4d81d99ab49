"""manifest.json follows what a run makes, while it makes it, and is right again after any crash."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

from support.files import put_files
from support.labs import furnish, open_lab, toy, wait_for
from support.server import Server, serve
from support.waiting import DEADLINE_S, wait_until
from websockets.sync.client import connect

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.bus import artifacts_topic
from rl_lab.store.artifacts import CHANGED
from rl_lab.store.sql.database import Database
from rl_lab.store.sql.meta import keys


def on_disk(home: Path, run_id: str) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((home / "runs" / run_id / "manifest.json").read_bytes())
    return manifest


def test_a_live_run_lists_each_checkpoint_soon_after_it_is_saved(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            wanted = toy(total_timesteps=10**8, steps_per_second=2000, checkpoint_every=500)
            run = await lab.runs.create(wanted)
            with lab.context.bus.subscribe([artifacts_topic(run.id)]) as changes:
                seen: list[int] = []
                async with asyncio.timeout(DEADLINE_S):
                    while len(seen) < 2:
                        for message in await changes.take():
                            listed = on_disk(home, run.id)["checkpoints"]
                            assert len(listed) == message.item.count
                            seen.append(listed[0]["timestep"])
            assert seen == sorted(set(seen))

    asyncio.run(story())


def test_at_the_end_the_file_and_the_answer_agree(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=2000, checkpoint_every=100, evaluate_after=0))
            await wait_for(lab, run.id, RunStatus.succeeded)
            await lab.context.tasks.wait()
        async with open_lab(home) as lab:
            told = (await lab.housekeeping.manifests.read(run.id)).model_dump(mode="json")
            assert on_disk(home, run.id) == told
            assert told["kept"]["checkpoints"]["made"] > told["kept"]["checkpoints"]["kept"]
            assert [entry["path"] for entry in told["models"]] == ["model.json"]
            for entry in told["checkpoints"]:
                assert (home / "runs" / run.id / entry["path"]).stat().st_size == entry["size"]
                assert len(entry["sha256"]) == 64
            assert await lab.context.db.read(lambda conn: keys(conn, CHANGED)) == []

    asyncio.run(story())


def test_a_manifest_that_a_kill_left_behind_is_written_at_the_next_start(home: Path) -> None:
    furnish(home)
    with serve(home) as server:
        run_id = server.wait(server.create(start=True, total_timesteps=200)["id"], "succeeded")["id"]
        wait_until((home / "runs" / run_id / "manifest.json").exists, "the manifest")
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(DEADLINE_S)
    asyncio.run(_list_a_video(home, run_id))  # and dies before the manifest follows
    assert on_disk(home, run_id)["videos"] == []
    with serve(home):
        wait_until(lambda: on_disk(home, run_id)["videos"], "the manifest to follow")


async def _list_a_video(home: Path, run_id: str) -> None:
    db = Database(home)
    try:
        await db.write(lambda conn: put_files(conn, home, run_id, "video", 1))
    finally:
        await db.close()


def test_a_page_hears_that_a_file_was_pinned_and_deleted(server: Server) -> None:
    run_id = server.wait(server.create(start=True, total_timesteps=200)["id"], "succeeded")["id"]
    wait_until((server.home / "runs" / run_id / "manifest.json").exists, "the manifest")
    [artifact, *_] = server.client.get(f"/api/runs/{run_id}/artifacts").json()
    headers = {"Authorization": f"Bearer {server.token}"}
    with connect(server.url.replace("http", "ws") + "/api/live", additional_headers=headers) as socket:
        socket.send(json.dumps({"op": "subscribe", "topic": f"run:{run_id}:artifacts"}))
        socket.send(json.dumps({"op": "subscribe", "topic": f"run:{run_id}:status"}))
        socket.recv(DEADLINE_S)  # the status: the subscriptions stand
        answer = server.client.patch(
            f"/api/artifacts/{artifact['id']}", json={"pinned": True, "title": "Mine"}
        )
        assert (answer.json()["pinned"], answer.json()["title"]) == (True, "Mine")
        first = _next_change(socket)
        assert server.client.delete(f"/api/artifacts/{artifact['id']}").json()["id"] == artifact["id"]
        assert _next_change(socket)["count"] == first["count"] - 1
    assert not (server.home / "runs" / run_id / artifact["path"]).exists()
    assert server.client.get(f"/api/artifacts/{artifact['id']}").status_code == 404
    assert server.client.patch(f"/api/artifacts/{artifact['id']}", json={}).status_code == 404


def _next_change(socket: Any) -> dict[str, Any]:
    while True:
        batch = json.loads(socket.recv(DEADLINE_S))
        if batch.get("topic", "").endswith(":artifacts") and batch["items"]:
            changed: dict[str, Any] = batch["items"][-1]
            return changed
