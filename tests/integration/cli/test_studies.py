"""Studies from the command line, against a running server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.server import Server, command

TOY = ("CartPole-v1", "--algorithm", "toy", "--runner", "fake", "--timesteps", "200")


@pytest.fixture(scope="module")
def study(shared_server: Server) -> dict[str, Any]:
    """Two variants with two seeds, trained by `rl-lab sweep`."""
    words = ("--grid", "learning_rate=0.1,0.2", "--seeds", "3,7", "--name", "typed study", "--tag", "typed")
    done = command(shared_server.home, "sweep", *TOY, *words, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_sweep_trains_every_point_with_every_seed(study: dict[str, Any]) -> None:
    assert (study["status"], study["name"], study["tags"]) == ("finished", "typed study", ["typed"])
    assert [variant["label"] for variant in study["variants"]] == ["learning rate 0.1", "learning rate 0.2"]
    assert study["counts"]["succeeded"] == 4
    assert len(study["comparison"]["groups"]) == 2


def test_a_study_is_one_row_of_the_runs_and_unfolds(shared_server: Server, study: dict[str, Any]) -> None:
    folded = command(shared_server.home, "runs", "--tag", "typed")
    assert folded.stdout.count("typed study") == 1 and "4/4 runs" in folded.stdout
    unfolded = command(shared_server.home, "runs", "--study", "typed-study")
    assert unfolded.stdout.count("learning rate 0.1 · seed") == 2


def test_the_file_of_a_study_starts_it_again(
    shared_server: Server, study: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "study.yaml"
    done = command(shared_server.home, "studies", "export-file", study["id"], "-o", str(path))
    assert done.returncode == 0, done.stderr
    again = tmp_path / "again.json"
    done = command(shared_server.home, "sweep", "--file", str(path), "--name", "again", "-o", str(again))
    assert done.returncode == 0, done.stderr
    found = json.loads(again.read_text())
    assert (found["name"], found["seeds"], found["version"]) == ("again", [3, 7], 1)


def test_what_cannot_be_trained_is_refused_with_the_option(shared_server: Server) -> None:
    done = command(shared_server.home, "sweep", *TOY, "--grid", "learning_rte=0.1")
    assert done.returncode == 2 and "Did you mean learning_rate" in done.stderr, done.stderr
