"""Evaluations: what is measured is what was played, the video shows it, and every refusal says what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.server import command, serve
from support.studio import FINAL, Studio, assert_plays_everywhere, decode, difference, frames_of
from support.waiting import DEADLINE_S, wait_until

from rl_lab.worker.rendering.simulation import Simulation


@pytest.fixture(scope="module")
def evaluation(studio: Studio) -> dict[str, Any]:
    return studio.job(f"/api/runs/{studio.novice}/evaluations", episodes=2)


def test_the_summary_is_what_was_played(studio: Studio, evaluation: dict[str, Any]) -> None:
    result = evaluation["summary"]["result"]
    recordings = [studio.recording(evaluation["id"], n) for n in range(2)]
    for recording, seed, returned, length in zip(
        recordings, result["seeds"], result["returns"], result["lengths"], strict=True
    ):
        simulation = Simulation(recording, render=False)
        simulation.advance_to(10_000)
        assert (recording.seed, simulation.returned, simulation.step) == (seed, returned, length)
        assert simulation.terminated
    assert result["return_mean"] == sum(result["returns"]) / 2
    assert (result["return_ci"], result["return_ci_level"]) == ([None, None], None), (
        "two episodes give no interval"
    )
    assert (result["terminated"], result["truncated"], result["successes"]) == (2, 0, 0)
    assert result["checkpoint_role"] == "best"
    saved = json.loads(studio.file(evaluation["id"], "eval/summary.json").read_text())
    assert saved["returns"] == result["returns"]


def test_the_checkpoint_that_played_gets_the_measured_return(
    studio: Studio, evaluation: dict[str, Any]
) -> None:
    result = evaluation["summary"]["result"]

    def scored() -> list[dict[str, Any]]:
        files = studio.server.client.get(f"/api/runs/{studio.novice}/artifacts").json()
        found = [file for file in files if file["sha256"] == result["checkpoint_sha256"]]
        return [file for file in found if file["kind"] == "checkpoint" and file["evaluation"]]

    files = wait_until(scored, "the score of the checkpoint")
    assert "best" in {file["role"] for file in files}
    for file in files:
        score = file["evaluation"]
        assert (score["protocol"], score["deterministic"]) == ("evaluation", True)
        assert score["episodes"] >= 2
        assert score["mean"] == file["evaluation_mean"]


def test_the_video_shows_the_median_episode_and_lies_with_the_training(
    studio: Studio, evaluation: dict[str, Any]
) -> None:
    path = evaluation["summary"]["result"]["video"]
    film = decode(studio.file(evaluation["id"], path))
    assert_plays_everywhere(film)
    assert (film.width, film.height, film.fps) == (600, 400, 25.0)
    # The median of two episodes is the lower one.
    returns = evaluation["summary"]["result"]["returns"]
    median = min(range(2), key=returns.__getitem__)
    assert evaluation["summary"]["result"]["video_episodes"] == [median]
    shown = frames_of(Simulation(studio.recording(evaluation["id"], median)))[::2]
    assert len(film.frames) == len(shown)
    for ours, theirs in zip(shown[::7], film.frames[::7], strict=True):
        assert difference(ours, theirs) < 3
    told = wait_until(lambda: studio.events(studio.novice, "evaluation_complete"), "the hand-in")
    assert f"{evaluation['summary']['result']['return_mean']:.1f}" in told[0]["message"]
    assert studio.file(studio.novice, path).samefile(studio.file(evaluation["id"], path))


def test_a_video_of_all_episodes_shows_one_after_the_other(studio: Studio) -> None:
    job = studio.job(f"/api/runs/{studio.novice}/evaluations", episodes=3, video_episodes="all")
    result = job["summary"]["result"]
    assert result["video_episodes"] == [0, 1, 2]
    shown = [len(range(0, length + 1, 2)) for length in result["lengths"]]
    assert len(decode(studio.file(job["id"], result["video"])).frames) == sum(shown)


def test_an_evaluation_reports_its_progress_in_episodes(evaluation: dict[str, Any]) -> None:
    assert (evaluation["progress"]["timestep"], evaluation["progress"]["total_timesteps"]) == (2, 2)


def test_thoughts_are_kept_with_each_step(studio: Studio, evaluation: dict[str, Any]) -> None:
    rows = studio.server.client.get(f"/api/runs/{evaluation['id']}/episodes/0/steps").json()
    assert rows["exact"] is True
    acted = rows["steps"][0]
    assert abs(sum(acted["probabilities"]) - 1) < 0.01
    assert acted["next_action"] == max(range(2), key=acted["probabilities"].__getitem__)


def test_only_the_newest_three_videos_stay_and_the_log_says_so(studio: Studio) -> None:
    same = [
        studio.job(f"/api/runs/{studio.novice}/evaluations", seeds=[5])["summary"]["result"] for _ in range(4)
    ]
    assert len({result["returns"][0] for result in same}) == 1, "the same seed gives the same episode"
    newest = [result["video"] for result in same]
    wait_until(lambda: not studio.file(studio.novice, newest[0]).exists(), "the oldest video to be pruned")
    assert [studio.file(studio.novice, path).exists() for path in newest] == [False, True, True, True]
    assert any(newest[0] in event["data"]["paths"] for event in studio.events(studio.novice, "pruned"))
    listed = studio.server.client.get(f"/api/runs/{studio.novice}/artifacts").json()
    videos = [a["path"] for a in listed if a["kind"] == "video" and a["path"].startswith("eval/eval_")]
    assert sorted(videos) == sorted(newest[1:])


def test_a_stop_half_way_keeps_what_was_played(studio: Studio) -> None:
    address = f"/api/runs/{studio.novice}/evaluations"
    job_id = studio.post(address, episodes=100)["id"]
    run = f"/api/runs/{job_id}"
    wait_until(lambda: studio.server.client.get(run).json()["progress"]["timestep"] >= 2, "two episodes")
    studio.post(f"{run}/stop")
    assert studio.server.wait(job_id, *FINAL)["status"] == "stopped"
    [listed] = [e for e in studio.server.client.get(address).json() if e["run_id"] == job_id]
    assert 2 <= listed["summary"]["episodes"] < 100
    assert len(listed["summary"]["returns"]) == listed["summary"]["episodes"]


def test_what_cannot_be_evaluated_is_said_at_once(studio: Studio) -> None:
    address = f"/api/runs/{studio.novice}/evaluations"
    mismatch = studio.refused(address, episodes=1, seeds=[1, 2])
    assert mismatch["status"] == 422
    assert "2 seeds are given for 1 episodes" in mismatch["detail"]
    [foreign] = [
        a["id"]
        for a in studio.server.client.get(f"/api/runs/{studio.expert}/artifacts").json()
        if a["kind"] == "checkpoint"
    ][:1]
    assert "not a checkpoint of that run" in studio.refused(address, checkpoint=foreign)["detail"]
    fresh = studio.post("/api/runs", env_id="CartPole-v1", algorithm="ppo", runner="turbo", start=False)
    early = studio.refused(f"/api/runs/{fresh['id']}/evaluations")
    assert early["status"] == 409
    assert "no checkpoint" in early["detail"]
    assert "train" in early["next_step"]


def test_without_an_encoder_it_still_measures_and_says_how_to_get_one(
    studio: Studio, evaluation: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "av.py").write_text("raise ImportError(\"No module named 'av'\", name='av')\n")
    job = json.loads(studio.file(evaluation["id"], "attempts/1/job.json").read_text())
    # The job's own link to the checkpoint was removed when it ended.
    name = Path(job["inputs"]["policy"]["checkpoint"]).name
    job["inputs"]["policy"]["checkpoint"] = str(studio.file(studio.novice, f"checkpoints/{name}"))
    (tmp_path / "job.json").write_text(json.dumps({**job, "run_dir": str(tmp_path)}))
    done = subprocess.run(
        [sys.executable, "-m", "rl_lab.worker", str(tmp_path / "job.json")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    result = next(line for line in lines if line["type"] == "finished")["summary"]
    assert result["returns"] == evaluation["summary"]["result"]["returns"]
    assert result["video"] is None
    assert "pip install" in result["video_problem"]
    assert any(line["type"] == "log" and "could not be made" in line["message"] for line in lines)


def test_the_command_prints_the_figures_and_the_video(studio: Studio) -> None:
    done = command(studio.home, "evaluate", studio.novice, "--seed", "5", "--seed", "6")
    assert done.returncode == 0, done.stderr
    assert "2 of 2" in done.stdout
    video = Path(done.stdout.split("Video: ")[1].strip())
    assert decode(video).codec == "h264"
    refused = command(studio.home, "evaluate", studio.novice, "--checkpoint", "3")
    assert refused.returncode == 1
    assert "no checkpoint “3”" in refused.stderr
    assert "at the steps" in refused.stderr


def test_train_ends_with_an_evaluation_and_its_video(studio: Studio) -> None:
    done = command(
        studio.home,
        "train",
        "CartPole-v1",
        "--algorithm",
        "ppo",
        "--runner",
        "turbo",
        "--timesteps",
        "2048",
        "--set",
        "learning_rate=1e-9",
        "--evaluate",
        "1",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert run["evaluation"]["summary"]["result"]["episodes"] == 1
    assert decode(Path(run["folder"]) / "video.mp4").frames


def test_train_without_waiting_leaves_the_evaluation_to_its_guardian(home: Path) -> None:
    """Alone, without a server: the lab of the command is gone, the evaluation is not, and the next lab has it."""
    done = command(
        home,
        "train",
        "CartPole-v1",
        "--algorithm",
        "ppo",
        "--runner",
        "turbo",
        "--timesteps",
        "2048",
        "--set",
        "learning_rate=1e-9",
        "--evaluate",
        "3",
        "--no-wait",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert run["evaluation"]["status"] in ("running", "succeeded")
    with serve(home) as server:
        ended = server.wait(run["evaluation"]["id"], *FINAL)
        assert ended["status"] == "succeeded", ended["reason"]
        wait_until((Path(run["folder"]) / "video.mp4").is_file, "the video beside the model")
