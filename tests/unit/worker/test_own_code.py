"""Environments of the user's own, as a confined process loads them; here without the confinement."""

from __future__ import annotations

from pathlib import Path

import pytest
from gymnasium.utils.env_checker import check_env

from rl_lab.core.errors import NotReady
from rl_lab.core.workbench.code_files import MAIN_FILE
from rl_lab.core.workbench.codes import CodeKind
from rl_lab.orchestrator.workbench.examples import list_examples
from rl_lab.portable.own_modules import OWN_ENVIRONMENTS
from rl_lab.worker.environments.make import describe_environment, make_environment
from rl_lab.worker.environments.own_check import check_own

BROKEN = """import gymnasium

class Broken(gymnasium.Env):
    def __init__(self, render_mode=None):
        self.x = 1 / 0
"""


def put(home: Path, name: str, source: str) -> str:
    folder = home / name / "v1"
    folder.mkdir(parents=True)
    (folder / MAIN_FILE).write_text(source)
    return f"own:{name}-v1"


def source_of(title: str) -> str:
    return next(one.source for one in list_examples(CodeKind.environment) if one.title == title)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(OWN_ENVIRONMENTS, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("title", ["Grid world.", "Control task.", "Game to play by keys."])
def test_every_template_passes_the_checker_is_drawn_and_has_a_limit(home: Path, title: str) -> None:
    source = source_of(title)
    env_id = put(home, "example", source)
    entry = describe_environment(env_id)
    assert entry["family"] == "own"
    assert entry["max_episode_steps"]
    env = make_environment(env_id, render_mode="rgb_array")
    check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    assert env.render().ndim == 3
    env.close()


def test_a_wrapper_of_ones_own_goes_around_any_environment(home: Path) -> None:
    source = source_of("Wrapper of your own.")
    put(home, "hold", source)
    env = make_environment("CartPole-v1", {"wrappers": [{"id": "custom", "code": "hold@v1"}]})
    env.reset(seed=1)
    assert env.step(0)[1] == 2.0, "the first action was played twice"


def test_an_error_is_reported_at_the_line_of_the_users_code(home: Path) -> None:
    found = check_own({"env_id": put(home, "broken", BROKEN)})
    assert found["environment"] is None
    assert found["remarks"] == [
        {"level": "error", "message": "ZeroDivisionError: division by zero", "file": MAIN_FILE, "line": 5}
    ]


def test_code_without_an_environment_is_said_to_have_none(home: Path) -> None:
    found = check_own({"env_id": put(home, "empty", "x = 1\n")})
    assert "no class that is derived from gymnasium.Env" in found["remarks"][0]["message"]


def test_a_process_that_does_not_know_the_folder_executes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OWN_ENVIRONMENTS, raising=False)
    put(tmp_path, "unseen", "raise SystemExit('executed')\n")
    with pytest.raises(NotReady, match="not confined"):
        make_environment("own:unseen-v1")
