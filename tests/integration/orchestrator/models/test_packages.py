"""A checkpoint leaves the lab as one zip, by the page's address and by the command line."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support.hub_server import TOKEN, HubServer, serve_hub
from support.labs import furnish, open_lab, toy, wait_for
from support.waiting import wait_until_async

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.models.imports import ImportChoices
from rl_lab.core.models.packages import PackageChoices
from rl_lab.core.models.transfers import ENDED, NewPull, NewPush, Transfer
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.turbo.playing import load_policy
from rl_lab.store.files.folders import RunFolder


def test_a_checkpoint_is_pushed_with_its_video_and_pulled_again_and_acts_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(tmp_path)
    with serve_hub() as hub:
        for name, value in {
            "HF_ENDPOINT": hub.url,
            "HF_TOKEN": TOKEN,
            "HF_HOME": str(tmp_path / "hf"),
        }.items():
            monkeypatch.setenv(name, value)
        asyncio.run(_story(tmp_path, hub, monkeypatch))


async def _story(home: Path, hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_lab(home, model_author="Ada") as lab:
        run_id, checkpoint = await _trained(lab)
        before = await lab.models.packages.preview(checkpoint, PackageChoices(video=True))
        assert "Not evaluated" in before.card and "no evaluation" in before.notes[0]
        await _pushes(lab, checkpoint, hub)
        await _pulls_what_was_pushed(lab, run_id, checkpoint)
        name, file = await lab.models.packages.make(checkpoint, PackageChoices(licence="bsd-3-clause"))
        with file, zipfile.ZipFile(io.BytesIO(file.read())) as archive:
            card = archive.read("README.md").decode()
            config = json.loads(archive.read("config.json"))
            assert "Ada" in archive.read("LICENSE").decode()
        assert name.endswith(".zip") and "license: bsd-3-clause" in card
        assert "model-index:" in card and "Protocol: 10 episodes" in card
        assert config["model"] == "model.safetensors" and config["config"]["seed"] == 1
        monkeypatch.delenv("HF_TOKEN")
        await _fails_and_is_cancelled(lab, checkpoint)
        await _refuses(lab, run_id)


async def _pushes(lab: Lab, checkpoint: str, hub: HubServer) -> None:
    started = await lab.models.pushes.start(NewPush(checkpoint=checkpoint, repo="ada/cart"))
    with pytest.raises(NotReady, match="at work already"):
        await lab.models.pushes.start(NewPush(checkpoint=checkpoint, repo="ada/cart"))
    done = await _ended(lab, started.id)
    assert (done.state, done.url) == ("done", f"{hub.url}/ada/cart"), done
    assert done.commit == hub.repos["ada/cart"].commits[-1] and "had a video" in done.notes[0]
    sent = hub.repos["ada/cart"].files
    assert {"README.md", "model.safetensors", "replay.mp4", "example.py", "LICENSE"} <= set(sent)
    assert b"model-index:" in sent["README.md"] and sent["replay.mp4"][4:8] == b"ftyp"
    assert TOKEN not in done.model_dump_json()


async def _pulls_what_was_pushed(lab: Lab, run_id: str, checkpoint: str) -> None:
    started = lab.models.pulls.start(NewPull(repo="ada/cart"))
    await wait_until_async(
        lambda: lab.models.transfers.get("pull", started.id).state in ENDED, "the pull to end"
    )
    done = lab.models.transfers.get("pull", started.id)
    assert done.state == "done" and done.upload is not None, done
    run = await lab.models.imports.take_in(done.upload, ImportChoices())
    assert run.config.kind == "train" and run.config.env_id == "CartPole-v1"
    assert "ada/cart" in run.model_dump_json()
    (pulled,) = [a for a in await lab.queries.artifacts(run.id) if a.kind == "checkpoint"]
    pushed = next(a for a in await lab.queries.artifacts(run_id) if a.id == checkpoint)
    home = lab.context.home
    ours = load_policy(RunFolder(home, run_id).path / pushed.path)
    theirs = load_policy(RunFolder(home, run.id).path / pulled.path)
    for observation in np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32):
        assert ours.act(observation, True) == theirs.act(observation, True)


async def _fails_and_is_cancelled(lab: Lab, checkpoint: str) -> None:
    wanted = NewPush(checkpoint=checkpoint, repo="ada/cart", video=False)
    failed = await _ended(lab, (await lab.models.pushes.start(wanted)).id)
    assert (
        failed.state == "failed"
        and "no token" in failed.message
        and "hf auth login" in (failed.next_step or "")
    )
    started = await lab.models.pushes.start(wanted)
    assert (await lab.models.transfers.stop("push", started.id)).state == "cancelled"
    assert not any((lab.context.home / "cache" / "hub").iterdir())


async def _ended(lab: Lab, push_id: str) -> Transfer:
    await wait_until_async(
        lambda: lab.models.transfers.get("push", push_id).state in ENDED, "the push to end"
    )
    return lab.models.transfers.get("push", push_id)


async def _refuses(lab: Lab, run_id: str) -> None:
    other = next(a for a in await lab.queries.artifacts(run_id) if a.kind != "checkpoint")
    with pytest.raises(InvalidInput, match="is not a checkpoint"):
        await lab.models.packages.order(other.id, PackageChoices())
    fake = await lab.runs.create(toy(total_timesteps=200))
    await wait_for(lab, fake.id)
    saved = next(a for a in await lab.queries.artifacts(fake.id) if a.kind == "checkpoint")
    with pytest.raises(NotReady, match="cannot be packaged"):
        await lab.models.packages.preview(saved.id, PackageChoices())


async def _trained(lab: Lab) -> tuple[str, str]:
    new = NewRun(
        env_id="CartPole-v1",
        algorithm="ppo",
        runner="turbo",
        total_timesteps=512,
        seed=1,
        start=True,
        evaluate_after=0,
    )
    run = await lab.runs.create(new)
    await wait_for(lab, run.id, RunStatus.succeeded)
    return run.id, next(a.id for a in await lab.queries.artifacts(run.id) if a.kind == "checkpoint")
