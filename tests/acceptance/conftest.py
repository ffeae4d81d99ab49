"""Fixtures: one browser and one lab for the whole suite, a separate profile for each test, and a solved run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.browser import OUTPUT, ROOT, Visitor, chromium
from support.server import Server, serve
from support.waiting import wait_until


@pytest.fixture(scope="package", autouse=True)
def built_page() -> None:
    """Builds the page under test from these sources."""
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build
    finally:
        sys.path.remove(str(ROOT))
    hatch_build.build()
    assert hatch_build.is_fresh(), "web/ changed during its build. Next: run `python hatch_build.py`"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory, built_page: None) -> Iterator[Server]:
    """The lab that all tests share; each test uses only the runs it created."""
    home = tmp_path_factory.mktemp("lab") / "home"
    home.mkdir()
    with serve(home, RL_LAB_MAX_RUNNING="8") as running:
        yield running


@pytest.fixture(scope="package")
def solved(lab: Server) -> dict[str, Any]:
    """A turbo run that solved CartPole; tests must not change it."""
    wanted = {
        "name": "solved",
        "env_id": "CartPole-v1",
        "runner": "turbo",
        "algorithm": "ppo",
        "seed": 1,
        "until": "solved",
        "start": True,
        "evaluate_after": 5,
    }
    answer = lab.client.post("/api/runs", json=wanted)
    assert answer.status_code == 201, answer.text
    return lab.wait(answer.json()["id"], "succeeded")


@pytest.fixture(scope="package")
def swept(lab: Server) -> str:
    """The id of a finished sweep over two parameters of the fake runner; tests must not change it."""
    speeds, more = {"values": [20_000, 30_000]}, {"values": [2000, 3000]}
    base = {"env_id": "CartPole-v1", "runner": "fake", "algorithm": "toy", "evaluate_after": 0}
    sweep = {"parameters": {"steps_per_second": speeds, "total_timesteps": more}}
    answer = lab.client.post(
        "/api/studies",
        json={
            "name": "swept",
            "question": "Which?",
            "base": base,
            "sweep": sweep,
            "seeds": [1],
            "start": True,
        },
    )
    assert answer.status_code == 201, answer.text
    study_id: str = answer.json()["id"]
    address = f"/api/studies/{study_id}"
    wait_until(
        lambda: lab.client.get(address).json()["status"] == "finished", lambda: "the sweep is finished"
    )
    return study_id


@pytest.fixture(scope="package")
def dataset(lab: Server, solved: dict[str, Any]) -> str:
    """The name of a small dataset of episodes of the solved run; tests must not change it."""
    choose = {"runs": [solved["id"]], "best": 3}
    operation = {"do": "make", "name": "pole-few", "choose": choose}
    answer = lab.client.post("/api/datasets/jobs", json={"operation": operation})
    assert answer.status_code in (201, 202), answer.text
    lab.wait(answer.json()["id"], "succeeded")
    return "pole-few"


@pytest.fixture(scope="package")
def waiting_play(lab: Server) -> Iterator[str]:
    """The id of a play that waits for its first key."""
    answer = lab.client.post("/api/plays", json={"env_id": "CartPole-v1", "seed": 3})
    assert answer.status_code == 202, answer.text
    run_id: str = answer.json()["id"]
    lab.wait(run_id, "running")
    yield run_id
    lab.client.post(f"/api/runs/{run_id}/stop")


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Visitor]]:
    """Creates visitors of a lab, each with its own profile; the test fails if one of their pages reports an error."""
    with ExitStack() as leaving:

        def arrive(server: Server, **options: Any) -> Visitor:
            visitor = Visitor(browser, server, **options)
            leaving.callback(visitor.end)
            leaving.callback(_keep_pictures, visitor, request.node.name)
            return visitor

        yield arrive


@pytest.fixture
def visitor(visit: Callable[..., Visitor], lab: Server) -> Visitor:
    """A visitor of the shared lab with a wide screen."""
    return visit(lab)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """The visitor's first tab, signed in, without the tour."""
    return visitor.sign_in()


def _keep_pictures(visitor: Visitor, test: str) -> None:
    """Saves a screenshot of every tab at the end of the test."""
    OUTPUT.mkdir(exist_ok=True)
    for number, page in enumerate(visitor.context.pages):
        page.screenshot(path=OUTPUT / f"{test.replace('/', '-')}-{number}.png")
