"""How far the upload of a W&B run is, from what it reported and from its files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.events import ArtifactEvent
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.dashboards.wandb_links import link_of
from rl_lab.orchestrator.ingest.lab_db_writes import to_artifact
from rl_lab.store.files.folders import RunFolder

NOW = datetime.now(UTC)
CONFIG = TrainConfig(env_id="CartPole-v1", algorithm="ppo", runner="sb3", total_timesteps=1, seed=0)


def _run(status: RunStatus) -> Run:
    return Run(id="a", name="a", config=CONFIG, status=status, created_at=NOW, updated_at=NOW)


def _logged(upload: str, url: str = "https://wandb.ai/me/lab/runs/a") -> list[Artifact]:
    return [to_artifact("a", ArtifactEvent(path="wandb", kind="wandb", url=url, upload=upload))]


@pytest.mark.parametrize(
    ("status", "reported", "expected"),
    [
        (RunStatus.running, "uploading", "uploading"),
        (RunStatus.running, "", "uploading"),
        (RunStatus.succeeded, "finished", "finished"),
        (RunStatus.failed, "failed", "failed"),
        (RunStatus.failed, "uploading", "unknown"),
        (RunStatus.succeeded, "nonsense", "unknown"),
    ],
)
def test_an_online_run_has_its_reported_state(
    tmp_path: Path, status: RunStatus, reported: str, expected: str
) -> None:
    link = link_of(tmp_path, _run(status), _logged(reported))
    assert (link.upload, link.url) == (expected, "https://wandb.ai/me/lab/runs/a")
    assert link.upload_text


def test_an_offline_folder_is_finished_once_it_was_synced(tmp_path: Path) -> None:
    run = _run(RunStatus.succeeded)
    folder = RunFolder(tmp_path, "a").path / "wandb" / "offline-run-20260101_000000-x"
    folder.mkdir(parents=True)
    assert link_of(tmp_path, run, []).upload == "offline"
    (folder / "run-x.wandb.synced").touch()
    assert link_of(tmp_path, run, []).upload == "finished"


def test_a_run_that_never_reached_wandb_failed(tmp_path: Path) -> None:
    link = link_of(tmp_path, _run(RunStatus.failed), _logged("failed", url=""))
    assert (link.upload, link.url) == ("failed", None)
    assert "could not be reached" in link.reason
    assert link_of(tmp_path, _run(RunStatus.failed), []).upload == "none"
