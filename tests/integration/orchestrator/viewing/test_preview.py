"""Previews: a random agent under one's hand, and the smoke test."""

from __future__ import annotations

import numpy as np
from support.server import command
from support.studio import Studio
from support.viewer import view

from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.jpeg import to_jpeg


def test_a_random_agent_plays_pauses_and_steps(studio: Studio) -> None:
    with view(studio.server, "/api/environments/CartPole-v1/preview?seed=4") as viewer:
        shown = [viewer.picture() for _ in range(8)]
        moments = [(p.header["episode"], p.header["step"]) for p in shown]
        assert moments == sorted(set(moments))
        assert not np.array_equal(shown[0].pixels, shown[-1].pixels)
        viewer.send("reset")
        viewer.send("pause")
        while viewer.picture().header["playing"]:
            pass  # who watches is told that it stands still
        viewer.send("reset")
        begun = viewer.picture()
        viewer.send("step")
        stepped = viewer.picture()
        assert (begun.header["step"], stepped.header["step"]) == (0, 1)
        assert stepped.header["action"] in (0, 1)
        env = make_environment("CartPole-v1", render_mode="rgb_array")
        observation, _ = env.reset(seed=4 + begun.header["episode"])
        assert np.array_equal(np.float32(begun.header["observation"]), observation)
        assert begun.jpeg == to_jpeg(env.render())
        observation, *_ = env.step(stepped.header["action"])
        assert np.array_equal(np.float32(stepped.header["observation"]), observation)


def test_an_unknown_environment_gets_the_nearest_names(studio: Studio) -> None:
    with view(studio.server, "/api/environments/CartPool-v1/preview") as viewer:
        assert "CartPole-v1" in viewer.error()["message"]


def test_the_command_prints_what_the_smoke_test_saw(studio: Studio) -> None:
    done = command(studio.home, "preview", "support.noisy:Noisy-v0")
    assert done.returncode == 1, "a problem was found"
    found = {line.split()[0]: line for line in done.stdout.splitlines() if line.strip()}
    assert "problem" in found["api"]
    assert "eterminis" in found["api"]
    assert "ok" in found["numbers"]
    assert "per second" in found["speed"]
    assert "per second" in found["drawing"]
    assert "warning" in found["repeatability"]
    assert "differed from step" in found["repeatability"]
    unknown = command(studio.home, "preview", "no.such.module:Thing-v0")
    assert unknown.returncode == 2
    assert "not installed" in unknown.stderr
