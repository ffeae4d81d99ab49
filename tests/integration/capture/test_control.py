"""Stop, pause and checkpoint reach a script that knows nothing of them, at its next step or, without one, anyway."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from support.captured import SCRIPTS, Captured, captured
from support.waiting import wait_until

ENV_LOOP = """
import gymnasium as gym
env = gym.make("CartPole-v1")
env.reset(seed=1)
while True:
    _, _, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated:
        env.reset()
"""
TORCH_LOOP = """
import time
import torch

class Trainer:
    def __init__(self):
        self.net = torch.nn.Linear(3, 2)
        self.optimizer = torch.optim.Adam(self.net.parameters())

def main():
    trainer = Trainer()
    print("training", flush=True)
    while True:
        trainer.optimizer.zero_grad()
        trainer.net(torch.randn(8, 3)).pow(2).mean().backward()
        trainer.optimizer.step()

main()
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


def test_stop_meets_the_script_at_its_next_step(script: Captured) -> None:
    script.start(str(script.write(ENV_LOOP)))
    script.attempt.wait_for_event("status", state="progress")
    script.attempt.command("stop")
    finished = script.finish()
    assert (script.record["exit_code"], finished["outcome"]) == (0, "stopped")
    assert finished["summary"]["timestep"] > 0
    assert finished["message"] == f"Stopped as asked at step {finished['summary']['timestep']:,}."


def test_pause_holds_the_steps_until_resumed(script: Captured) -> None:
    script.start(str(script.write(ENV_LOOP)))
    script.attempt.wait_for_event("status", state="progress")
    script.attempt.command("pause")
    paused = script.attempt.wait_for_event("status", state="paused")
    script.attempt.command("resume")
    resumed = script.attempt.wait_for_event("status", state="resumed")
    assert resumed["timestep"] == paused["timestep"]
    script.attempt.command("stop")
    assert script.finish()["summary"]["timestep"] >= resumed["timestep"]


def test_a_script_that_sleeps_is_stopped_by_a_signal(script: Captured) -> None:
    script.start(str(script.write("import time\nprint('asleep')\ntime.sleep(600)")))
    script.attempt.wait_for_event("status", state="hello")
    script.attempt.command("stop")
    assert script.finish()["outcome"] == "stopped"
    assert script.record["killed_by"] is None


def test_the_clean_up_of_a_stopped_script_runs(script: Captured) -> None:
    loop = ENV_LOOP.replace("while True:", "import atexit; atexit.register(print, 'closed')\nwhile True:")
    script.start(str(script.write(loop)))
    script.attempt.wait_for_event("status", state="progress")
    script.attempt.command("stop")
    script.finish()
    assert "closed" in script.attempt.log()


def test_a_script_without_steps_is_saved_paused_and_stopped(script: Captured) -> None:
    script.start(str(script.write(TORCH_LOOP)))
    wait_for_log(script, "training")
    script.attempt.command("checkpoint")
    first = script.attempt.wait_for_event("checkpoint")
    assert set(load(script, first)["modules"]) == {"trainer.net"}
    assert set(load(script, first)["optimizers"]) == {"trainer.optimizer"}
    script.attempt.command("pause")
    script.attempt.wait_for_event("status", state="paused")
    script.attempt.command("resume")
    script.attempt.wait_for_event("status", state="resumed")
    script.attempt.command("stop")
    assert script.finish()["outcome"] == "stopped"
    assert script.attempt.events("checkpoint")[-1]["role"] == "stop"


def test_checkpoints_come_at_their_interval_and_at_the_end_with_all_that_is_learned(script: Captured) -> None:
    script.start(
        str(SCRIPTS / "ppo_cartpole.py"), "--total-timesteps", "2048", config={"checkpoint_every": 500}
    )
    assert script.finish()["outcome"] == "succeeded"
    saved = script.attempt.events("checkpoint")
    assert len(saved) >= 3, "at the end of an episode, however fast the script is"
    assert saved[-1]["role"] == "final"
    assert saved[-1]["timestep"] == 2048
    state = load(script, saved[-1])
    assert state["step"] == 2048
    assert {"critic.0.weight", "actor.0.weight"} <= set(state["modules"]["agent"])
    assert state["optimizers"]["optimizer"]["state"]
    kept = torch.load(script.files / "ppo_cartpole.cleanrl_model", weights_only=True)
    assert all(torch.equal(kept[name], state["modules"]["agent"][name]) for name in kept)


def test_a_crash_saves_what_was_learned_so_far(script: Captured) -> None:
    crashing = TORCH_LOOP.replace("while True:", "for _ in range(3):").replace(
        "\nmain()", "\n    raise RuntimeError('half way')\n\nmain()"
    )
    finished = script.run(crashing)
    assert (finished["outcome"], finished["cause"]) == ("failed", "crashed")
    [saved] = script.attempt.events("checkpoint")
    assert set(load(script, saved)["modules"]) == {"trainer.net"}


def test_a_checkpoint_of_nothing_is_answered_in_words(script: Captured) -> None:
    script.start(str(script.write(ENV_LOOP)))
    script.attempt.wait_for_event("status", state="progress")
    script.attempt.command("checkpoint")
    said = script.attempt.wait_for_event("log", code="no_checkpoint")
    assert "no torch module" in said["message"]
    script.attempt.command("stop")
    assert script.finish()["outcome"] == "stopped"


def test_a_stop_while_only_threads_are_left_ends_the_script(script: Captured) -> None:
    script.start(
        str(
            script.write(
                """
                import threading, time
                threading.Thread(target=time.sleep, args=(600,)).start()
                print("main is done")
                """
            )
        )
    )
    wait_for_log(script, "main is done")
    script.attempt.command("stop")
    assert script.finish()["outcome"] == "stopped"
    assert script.record["killed_by"] is None


def wait_for_log(script: Captured, text: str) -> None:
    log = script.attempt.folder / "log.txt"
    wait_until(lambda: log.exists() and text in log.read_text(), f"{text!r} in the log")


def load(script: Captured, event: dict[str, Any]) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(script.run_dir / event["path"], weights_only=True)
    return state
