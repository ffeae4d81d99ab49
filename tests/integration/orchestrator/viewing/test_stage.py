"""The stage: models act live, are exchanged while they play, and what cannot act is refused in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from support.server import command
from support.studio import Studio
from support.viewer import Viewer, view


def wait_for_frame(viewer: Viewer, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while not wanted(header := viewer.picture().header):
        pass
    return header


def agent_is(run_id: str | None) -> Callable[[dict[str, Any]], bool]:
    return lambda header: header["agent"].get("run_id") == run_id and not header["loading"]


def test_a_model_acts_and_is_exchanged_while_it_plays(studio: Studio) -> None:
    with view(studio.server, f"/api/stage?run_id={studio.novice}") as viewer:
        assert viewer.picture().header["source"] == "stage"
        acting = wait_for_frame(viewer, agent_is(studio.novice))
        assert acting["agent"]["label"].startswith("novice, step ")
        viewer.send("deploy", run_id=studio.expert)
        before = viewer.picture().header
        taken = wait_for_frame(viewer, agent_is(studio.expert))
        assert taken["episode"] >= before["episode"]
        assert wait_for_frame(viewer, lambda header: header["step"] > 3)["value"] is not None
        viewer.send("speed", speed=4)
        assert wait_for_frame(viewer, lambda header: header["speed"] == 4)
        viewer.send("deploy")
        assert wait_for_frame(viewer, agent_is(None))["agent"] == {"label": "Random actions"}


def test_a_model_of_another_environment_is_refused_and_the_one_before_acts_on(studio: Studio) -> None:
    with view(studio.server, "/api/stage?env_id=Acrobot-v1") as viewer:
        viewer.send("deploy", run_id=studio.expert)
        refused = wait_for_frame(viewer, lambda header: header["problem"] is not None)
        assert refused["problem"]["env_id"] == "CartPole-v1"
        assert refused["problem"]["run_id"] == studio.expert
        assert refused["problem"]["message"] == "“expert” was trained in CartPole-v1; this is Acrobot-v1."
        assert wait_for_frame(viewer, lambda header: header["step"] != refused["step"])["agent"] == {
            "label": "Random actions"
        }


def test_a_model_that_cannot_be_loaded_leaves_the_old_one_acting(studio: Studio) -> None:
    files = studio.server.client.get(f"/api/runs/{studio.novice}/artifacts").json()
    newest = next(one for one in files if one["kind"] == "checkpoint" and one["role"] == "final")
    path = studio.file(studio.novice, newest["path"])
    whole = path.read_bytes()
    with view(studio.server, f"/api/stage?run_id={studio.expert}") as viewer:
        wait_for_frame(viewer, agent_is(studio.expert))
        path.write_bytes(whole[:-100])
        try:
            viewer.send("deploy", run_id=studio.novice, checkpoint=newest["id"])
            refused = wait_for_frame(viewer, lambda header: header["problem"] is not None)
        finally:
            path.write_bytes(whole)
        assert "changed after it was saved" in refused["problem"]["message"]
        later = wait_for_frame(viewer, lambda header: header["step"] != refused["step"])
        assert later["agent"]["run_id"] == studio.expert


def test_a_stage_needs_an_environment(studio: Studio) -> None:
    with view(studio.server, "/api/stage") as viewer:
        assert "Name an environment" in viewer.error()["message"]


def test_the_command_prints_what_the_model_does(studio: Studio) -> None:
    done = command(studio.home, "deploy", f"{studio.novice}@newest", "--episodes", "2", "--speed", "4")
    assert done.returncode == 0, done.stderr
    assert "Acting: novice, step 2,048" in done.stdout
    played = [line.partition(":")[0] for line in done.stdout.splitlines() if line.startswith("episode ")]
    assert played == ["episode 1", "episode 2"]
    refused = command(studio.home, "deploy", studio.novice, "--env", "Acrobot-v1")
    assert refused.returncode == 2
    assert "was trained in CartPole-v1; this is Acrobot-v1" in refused.stderr
    assert "--switch" in refused.stderr
    unknown = command(studio.home, "deploy", studio.novice, "--env", "Nope-v0")
    assert unknown.returncode == 1
    assert "There is no environment “Nope-v0”" in unknown.stderr
    assert "Traceback" not in unknown.stderr
    switched = command(
        studio.home,
        "deploy",
        studio.novice,
        "--env",
        "Acrobot-v1",
        "--switch",
        "--episodes",
        "1",
        "--speed",
        "4",
    )
    assert "Switching to CartPole-v1." in switched.stdout
