"""A finished run is given a later end: the same run, a new attempt, exactly as if it had been that long at once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.errors import MoveRefused, NotReady
from rl_lab.core.lengths.lengthening import Longer
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.runs.requests import Again

MORE = Longer(more_timesteps=400)


def test_a_finished_run_is_trained_longer_as_if_in_one_piece(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            fields = {"total_timesteps": 400, "evaluate_after": 0}
            run = await lab.runs.create(toy(**fields))
            with pytest.raises(MoveRefused, match="must have ended"):
                await lab.runs.longer.lengthen(run.id, MORE)
            whole = await lab.runs.create(toy(**{**fields, "total_timesteps": 800}))
            await wait_for(lab, run.id)
            seen = await lab.runs.longer.preview(run.id, MORE)
            assert (seen.at, seen.total_timesteps, seen.ends) == (400, 800, "after 800 steps")
            queued = await lab.runs.longer.lengthen(run.id, MORE)
            assert (queued.config.total_timesteps, queued.progress.total_timesteps) == (800, 800)  # type: ignore[union-attr]
            ended, one_piece = await wait_for(lab, run.id), await wait_for(lab, whole.id)
            assert (ended.status, ended.attempt, ended.progress.timestep) == (RunStatus.succeeded, 2, 800)
            assert ended.progress.episodes == one_piece.progress.episodes
            assert ended.summary.mean_reward == one_piece.summary.mean_reward
            folder = tmp_path / "runs" / run.id
            assert json.loads((folder / "config.json").read_text())["total_timesteps"] == 800
            log = {event.type: event for event in await lab.queries.events(run.id, limit=100)}
            assert "400 more steps, so it ends after 800 steps" in log["continued"].message
            snapshot = json.loads((folder / "snapshot.json").read_text())
            snapshot["packages"]["numpy"] = "0.1"
            (folder / "snapshot.json").write_text(json.dumps(snapshot))
            with pytest.raises(NotReady, match=r"cannot be continued exactly: other versions .*numpy"):
                await lab.runs.longer.preview(run.id, MORE)
            anyway = MORE.model_copy(update={"inexact": True})
            assert (await lab.runs.longer.preview(run.id, anyway)).total_timesteps == 1200
            again = await lab.runs.again(run.id, Again(start=False))
            assert again.config.lengthened == ended.config.lengthened  # type: ignore[union-attr]
            for file in (folder / "checkpoints").glob("*800*"):
                file.write_bytes(b"torn")
            with pytest.raises(
                NotReady, match=r"newest checkpoint, at step 800, is missing, torn"
            ) as refused:
                await lab.runs.longer.preview(run.id, MORE)
            assert f"`rl-lab train --from {run.id}@" in (refused.value.next_step or "")
            for file in (folder / "checkpoints").iterdir():
                file.write_bytes(b"torn")
            with pytest.raises(NotReady, match="no whole checkpoint"):
                await lab.runs.longer.lengthen(run.id, MORE)
            assert (await lab.queries.get_run(run.id)).status is RunStatus.succeeded

    asyncio.run(story())
