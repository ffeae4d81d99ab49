"""`rl-lab run` at a running lab: shown and agreed to, watched, and ended with the right exit code."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.server import COMMAND, Server, command, environment
from support.waiting import DEADLINE_S, wait_until

from rl_lab.cli.terminal import BELL

TRAINER = """#!/bin/sh
echo '{"type":"status","state":"hello"}'
echo '{"type":"config","env_id":"Coin-v0","seed":2}'
echo '{"type":"episode","steps":1,"return":1,"timestep":1}'
echo '{"type":"finished"}'
"""
PATIENT = """#!/bin/sh
echo '{"type":"status","state":"hello"}'
read command
echo '{"type":"finished","outcome":"stopped"}'
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    return folder


def trainer(folder: Path, text: str = TRAINER) -> str:
    path = folder / "trainer"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_without_a_word_and_a_terminal_nothing_runs(shared_server: Server, mine: Path) -> None:
    done = command(shared_server.home, "run", "--protocol", "--", trainer(mine, TRAINER + "# unseen\n"))
    assert done.returncode == 2
    assert "has not been approved" in done.stderr and "--yes" in done.stderr
    assert str(mine / "trainer") in done.stderr and "may write" in done.stderr
    assert shared_server.client.get("/api/runs", params={"q": "trainer"}).json()["total"] == 0


def test_agreed_once_it_runs_again_unasked_and_its_numbers_come_as_json(
    shared_server: Server, mine: Path
) -> None:
    path = trainer(mine, TRAINER + "# agreed\n")
    words = ("run", "--protocol", "--name", "coin", "--tag", "quick", "--env", "Label-v0", "--json")
    first = command(shared_server.home, *words, "--yes", "--", path)
    assert first.returncode == 0, first.stderr
    run = json.loads(first.stdout)
    assert (run["status"], run["name"], run["tags"]) == ("succeeded", "coin", ["quick"])
    assert run["config"]["env_id"] == "Coin-v0"  # what it said wins over what was thought
    assert Path(run["folder"], "files").is_dir() and run["preview"]["is_consented"] is False
    again = command(shared_server.home, *words, "--", path)
    assert again.returncode == 0 and json.loads(again.stdout)["preview"]["is_consented"] is True


def test_asked_at_a_terminal_a_no_is_a_no(shared_server: Server, mine: Path) -> None:
    path = trainer(mine, TRAINER + "# asked\n")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "run", "--protocol", "--", path],
        env=environment(shared_server.home),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(theirs)
    os.write(ours, b"n\n")
    _, said = process.communicate(timeout=DEADLINE_S)
    os.close(ours)
    assert process.returncode == 1
    assert "Run it?" in said and "Not run." in said


def test_a_failure_is_exit_code_1_with_the_reason(shared_server: Server, mine: Path) -> None:
    done = command(shared_server.home, "run", "-y", "--protocol", "--", trainer(mine, "#!/bin/sh\nexit 7\n"))
    assert done.returncode == 1
    assert "The program ended with exit code 7." in done.stdout


def test_ctrl_c_stops_it_politely(shared_server: Server, mine: Path) -> None:
    path = trainer(mine, PATIENT)
    process = subprocess.Popen(
        [*COMMAND, "run", "-y", "--protocol", "--name", "patient", "--", path],
        env=environment(shared_server.home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    found = wait_until(
        lambda: shared_server.client.get("/api/runs", params={"q": "patient"}).json()["items"], "the run"
    )
    shared_server.wait(found[0]["id"], "running")
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert "stopped" in said


def test_a_script_relative_to_this_folder_runs_with_its_arguments(shared_server: Server, mine: Path) -> None:
    (mine / "train.py").write_text(
        "import sys, argparse\nprint(sys.argv)\nopen('made', 'w').write(' '.join(sys.argv))"
    )
    done = subprocess.run(
        [*COMMAND, "run", "-y", "--json", "python", "train.py", "--lr", "1"],
        env=environment(shared_server.home),
        cwd=mine,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert Path(run["folder"], "files", "made").read_text() == f"{mine}/train.py --lr 1"


def test_wrong_commands_are_wrong_use(shared_server: Server, mine: Path) -> None:
    for words, expected in (
        ((sys.executable, "none.py"), "does not exist; check the path"),
        (("uv", "run", "train.py"), "does not exist; check the path"),
        (("bash", "train.sh"), "--protocol"),
    ):
        done = command(shared_server.home, "run", "-y", "--", *words)
        assert done.returncode == 2 and expected in done.stderr


def test_http_answers_428_until_the_hash_is_sent(shared_server: Server, mine: Path) -> None:
    ask = shared_server.client
    new = {
        "runner": "program",
        "algorithm": "protocol",
        "start": True,
        "params": {"command": [trainer(mine, TRAINER + "# http\n")]},
    }
    refused = ask.post("/api/runs", json=new)
    assert (refused.status_code, refused.json()["type"]) == (428, "urn:rl-lab:consent-needed")
    preview = ask.post("/api/commands/preview", json=new).json()
    assert preview["command"]["shown"] == new["params"]["command"]  # type: ignore[index]
    created = ask.post("/api/runs", json={**new, "consent": preview["sha256"]})
    assert created.status_code == 201
    shared_server.wait(created.json()["id"], "succeeded")
    assert preview["sha256"] in {c["sha256"] for c in ask.get("/api/consents").json()}
    assert ask.delete(f"/api/consents/{preview['sha256']}").status_code == 204
    assert ask.delete(f"/api/consents/{preview['sha256']}").status_code == 404
    assert ask.post("/api/runs", json=new).status_code == 428


def test_a_bare_python_without_the_packages_gives_way_to_the_labs_own(
    shared_server: Server, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = mine / "needs_numpy.py"
    script.write_text("import numpy\nprint(numpy.zeros(1))\n")
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", mine / "bare"], check=True, timeout=DEADLINE_S
    )
    bare = str(mine / "bare" / "bin")
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    words = ("run", "--yes", "--json", "--", "python", str(script))
    done = command(shared_server.home, *words, PATH=f"{bare}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert "lacks numpy" in done.stderr
    assert json.loads(done.stdout)["preview"]["interpreter"]["path"] == sys.executable

    # An active environment was chosen: it is used as it is.
    chosen = command(shared_server.home, *words, PATH=f"{bare}:{os.environ['PATH']}", VIRTUAL_ENV=bare)
    run = json.loads(chosen.stdout)
    assert run["preview"]["interpreter"]["missing"] == ["numpy"]
    assert run["reason"]["cause"] == "missing-package"


def test_a_module_of_the_repository_is_offered_and_makes_the_script_run(
    shared_server: Server, mine: Path
) -> None:
    (mine / "repo" / ".git").mkdir(parents=True)
    (mine / "repo" / "cleanrl").mkdir()
    (mine / "repo" / "helpers_of_repo").mkdir()
    (mine / "repo" / "helpers_of_repo" / "__init__.py").write_text("x = 1\n")
    script = mine / "repo" / "cleanrl" / "dqn.py"
    script.write_text("import helpers_of_repo\nprint(helpers_of_repo.x)\n")
    done = command(shared_server.home, "run", "--yes", "--json", "--", sys.executable, str(script))
    assert done.returncode == 0, done.stderr
    assert (
        f"The lab found helpers_of_repo in the script's repository: PYTHONPATH={mine / 'repo'}" in done.stderr
    )
    assert json.loads(done.stdout)["config"]["params"]["env"]["PYTHONPATH"] == str(mine / "repo")


def test_all_missing_modules_are_in_the_preview_and_in_the_failure(shared_server: Server, mine: Path) -> None:
    script = mine / "many.py"
    script.write_text("import quantum_gym\nimport nobody_knows_this\n")
    done = command(shared_server.home, "run", "--yes", "--json", "--", sys.executable, str(script))
    run = json.loads(done.stdout)
    assert run["reason"]["cause"] == "missing-package"
    for text in (run["reason"]["message"], run["preview"]["problems"][0]):
        assert "quantum_gym" in text and "nobody_knows_this" in text
    assert "pip install" not in run["reason"]["next_step"] + run["preview"]["problems"][0]


def test_a_module_is_run_from_a_folder_above_the_labs_home(
    shared_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from the user's home folder, in which the lab's home usually is."""
    monkeypatch.chdir(shared_server.home.parent)
    words = ("run", "--yes", "--", sys.executable, "-m", "timeit", "-n", "1", "1")
    done = command(shared_server.home, *words)
    assert done.returncode == 0, done.stderr


def test_what_the_script_prints_is_shown_in_the_terminal(shared_server: Server, mine: Path) -> None:
    script = mine / "hello.py"
    script.write_text("import sys\nprint('hello from the script')\nprint('and a warning', file=sys.stderr)\n")
    done = command(shared_server.home, "run", "--yes", "--", sys.executable, str(script))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines.count("hello from the script") == lines.count("and a warning") == 1
    quiet = command(shared_server.home, "run", "--json", "--", sys.executable, str(script))
    assert json.loads(quiet.stdout)["status"] == "succeeded"


@pytest.mark.parametrize(("option", "rings"), [((), 0), (("--bell",), 1)])
def test_the_bell_rings_once_at_the_end(
    shared_server: Server, mine: Path, option: tuple[str, ...], rings: int
) -> None:
    done = command(shared_server.home, "run", "--protocol", "--yes", *option, "--", trainer(mine))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(BELL) == rings


TWO_ENVIRONMENTS = """
import gymnasium as gym
for env in (gym.make("CartPole-v1"), gym.make("MountainCar-v0", max_episode_steps=20)):
    for _ in range(2):
        env.reset(seed=1)
        while not any(env.step(0)[2:4]):
            pass
"""


def test_the_training_of_a_script_is_named_at_the_start_and_changed_afterwards(
    shared_server: Server, mine: Path
) -> None:
    home, script = shared_server.home, mine / "two.py"
    script.write_text(TWO_ENVIRONMENTS)
    words = ("run", "--yes", "--json", "--training", "MountainCar-v0", "--", sys.executable, str(script))
    done = command(home, *words)
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert (run["config"]["env_id"], run["progress"]["timestep"]) == ("MountainCar-v0", 40)
    listed = command(home, "roles", run["id"])
    assert "chosen by the user" in listed.stdout and "evaluation" in listed.stdout
    changed = json.loads(command(home, "roles", run["id"], "--training", "1", "--json").stdout)
    assert [one["role"] for one in changed["items"]] == ["training", "training"]
    refused = command(home, "roles", run["id"], "--evaluation", "1", "--evaluation", "2")
    assert refused.returncode == 2 and "only training environment" in refused.stderr
    unknown = command(home, "roles", run["id"], "--training", "9")
    assert unknown.returncode != 0 and "Choose one of its environments: 1, 2." in unknown.stderr
    assert "e0" in command(home, "episodes", run["id"], "--evaluation").stdout
    assert command(home, "replay", run["id"], "e0").stdout.startswith("Episode e0: return")
    wrong = shared_server.client.put(f"/api/runs/{run['id']}/environments/1", json={"role": "test"})
    assert wrong.status_code == 422
