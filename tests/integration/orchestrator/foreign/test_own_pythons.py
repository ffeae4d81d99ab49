"""A runner's own Python: made in the background with real venv and pip, never left half-made."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from support.base_install import write_wheel
from support.cleanrl import find_runner, make_checkout, wanted
from support.server import command, serve
from support.waiting import DEADLINE_S, wait_until_async

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import Capabilities, OwnInterpreter, Requirement, RunnerSpec
from rl_lab.orchestrator.foreign.installations import Installations, Preparation
from rl_lab.orchestrator.foreign.interpreter_claims import read_claims
from rl_lab.orchestrator.foreign.own_pythons import MARK, OwnPythons, missing_modules, own_python
from rl_lab.orchestrator.foreign.requirements import missing_requirements


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return write_wheel(tmp_path, "toypackage", "1.0")


def spec_of(home: Path, *packages: str) -> RunnerSpec:
    return RunnerSpec(
        id="toy",
        name="Toy",
        description="",
        capabilities=Capabilities(foreign=True),
        algorithms=(),
        requirements=(Requirement(module="toypackage", remedy=""),),
        interpreter=OwnInterpreter(path=str(own_python(home, "toy")), packages=packages),
    )


async def prepared(home: Path, spec: RunnerSpec) -> Preparation:
    installations = Installations()
    async with asyncio.timeout(DEADLINE_S):
        OwnPythons(home, installations).prepare(spec)
        found = await installations.wait(spec.id)
    assert found is not None
    return found


def test_a_missing_one_is_made_with_its_packages(home: Path, wheel: Path) -> None:
    spec = spec_of(home, str(wheel))
    [missing] = missing_requirements(spec)
    assert "rl-lab runners --prepare toy" in missing.remedy
    made = asyncio.run(prepared(home, spec))
    assert (made.state, made.error) == ("done", None)
    assert any("Successfully installed toypackage-1.0" in line for line in made.lines)
    assert missing_requirements(spec) == []
    assert missing_modules(str(own_python(home, "toy")), ["toypackage", "json", "torch"]) == ["torch"]


def test_a_package_that_cannot_be_installed_is_said_in_words_and_nothing_is_left(home: Path) -> None:
    made = asyncio.run(prepared(home, spec_of(home, "/nowhere/toypackage-1.0-py3-none-any.whl")))
    assert made.state == "failed"
    assert "pip could not install the packages" in (made.error or "")
    assert "/nowhere/toypackage" in (made.error or "")
    assert list((home / "interpreters").iterdir()) == []


def test_closing_the_lab_gives_up_a_half_made_one(home: Path, wheel: Path) -> None:
    async def begin_and_close() -> None:
        installations = Installations()
        OwnPythons(home, installations).prepare(spec_of(home, str(wheel)))
        running = installations.find("toy")
        assert running is not None and running.state == "running"
        await wait_until_async((home / "interpreters" / "toy" / MARK).exists, "the half-made one")
        await installations.close()

    asyncio.run(begin_and_close())
    assert list((home / "interpreters").iterdir()) == []


def test_a_half_made_one_of_a_lab_that_was_killed_is_not_used_and_goes(home: Path, wheel: Path) -> None:
    spec = spec_of(home, str(wheel))
    python = own_python(home, "toy")
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (python.parents[1] / MARK).touch()
    assert [r.is_met for r in missing_requirements(spec)] == [False]
    asyncio.run(OwnPythons(home, Installations()).open())
    assert list((home / "interpreters").iterdir()) == []


def test_a_python_of_the_users_is_never_changed(home: Path, tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "elsewhere", "toypackage")
    with pytest.raises(InvalidInput, match="is your own Python"):
        OwnPythons(home, Installations()).prepare(spec)
    with pytest.raises(InvalidInput, match="runs in the lab's own Python"):
        OwnPythons(home, Installations()).prepare(spec.model_copy(update={"interpreter": None}))


def test_a_runner_whose_python_is_missing_offers_to_make_it(home: Path, tmp_path: Path) -> None:
    with serve(home, RL_LAB_CLEANRL=str(make_checkout(tmp_path)), RL_LAB_CLEANRL_PYTHON="own") as server:
        runner = find_runner(server)
        assert runner["interpreter"] == str(own_python(home, "cleanrl"))
        assert (runner["ready"], runner["preparing"]) == (False, None)
        refused = server.client.post("/api/runs", json=wanted("ppo")).json()
        assert refused["type"] == "urn:rl-lab:not-ready"
        assert "rl-lab runners --prepare cleanrl" in refused["next_step"]
        assert server.client.post("/api/runners/sb3/prepare").status_code == 422


def test_the_command_tells_why_a_python_could_not_be_made(home: Path, tmp_path: Path) -> None:
    done = command(
        home,
        "runners",
        "--prepare",
        "cleanrl",
        RL_LAB_CLEANRL_PYTHON="own",
        PIP_NO_INDEX="1",
        RL_LAB_CLEANRL=str(make_checkout(tmp_path)),
    )
    assert done.returncode == 1
    assert "pip could not install the packages" in done.stderr
    assert not own_python(home, "cleanrl").exists()


def test_modules_are_looked_for_in_the_python_that_will_be_used(home: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    asyncio.run(_venv(bare))
    python = str(bare / "bin" / "python")
    with serve(home, RL_LAB_CLEANRL=str(make_checkout(tmp_path)), RL_LAB_CLEANRL_PYTHON=python) as server:
        problems = find_runner(server)["problems"]
    assert [p["module"] for p in problems] == ["torch", "gymnasium", "tyro", "tensorboard"]
    assert problems[0]["remedy"] == f"Install it with: {python} -m pip install torch"


async def _venv(folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "venv", "--without-pip", str(folder))
    assert await asyncio.wait_for(process.wait(), DEADLINE_S) == 0


def test_of_a_users_own_packages_only_their_folders_are_readable(tmp_path: Path) -> None:
    base = tmp_path / ".local"
    for name in ("lib/python3.11/site-packages", "bin", "share/keyrings"):
        (base / name).mkdir(parents=True)
    said = {"version": [3, 11, 7], "prefixes": [], "path": [], "user_base": str(base)}
    claims = read_claims("python", json.dumps(said).encode(), {"PYTHONUSERBASE": str(base)})
    assert {str(base / "lib"), str(base / "bin")} == set(claims.places)
