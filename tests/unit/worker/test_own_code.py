"""Environments of the user's own, as a confined process loads them; here without the confinement."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from gymnasium.utils.env_checker import check_env

from rl_lab.core.errors import NotReady
from rl_lab.core.workbench.code_files import MAIN_FILE
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.orchestrator.workbench.examples import list_examples
from rl_lab.portable.own_modules import OWN_ENVIRONMENTS
from rl_lab.worker.environments.make import describe_environment, make_environment
from rl_lab.worker.environments.own_check import check_own

LIMIT_S = 60.0

BROKEN = """import gymnasium

class Broken(gymnasium.Env):
    def __init__(self, render_mode=None):
        self.x = 1 / 0
"""


MAPS = """import gymnasium
import maps
from maps import SIZE

class Room(gymnasium.Env):
    observation_space = gymnasium.spaces.Discrete(100)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode=None):
        self.size = SIZE

    def reset(self, *, seed=None, options=None):
        import maps.doors  # only now
        from maps.doors import COUNT
        from late import PLACE
        return maps.SIZE * 10 + COUNT, {"place": PLACE}

    def step(self, action):
        return self.size, 0.0, True, False, {}
"""
"""Its files import each other by their plain names, some of them late."""


def put(home: Path, name: str, source: str, files: dict[str, str] | None = None, version: int = 1) -> str:
    folder = home / name / f"v{version}"
    for path, text in {MAIN_FILE: source, **(files or {})}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return f"own:{name}-v{version}"


def put_maps(home: Path, name: str, size: int, version: int = 1) -> str:
    files = {
        "maps/__init__.py": f"import numbers_of_maps\nSIZE = {size} + numbers_of_maps.ZERO\n",
        "maps/doors.py": "from maps import SIZE\nCOUNT = SIZE\n",
        "numbers_of_maps.py": "from random import random\nZERO = 0\n",
        "late.py": f"PLACE = {size}\n",
        "random.py": "def random():\n    return 1\n",
    }
    return put(home, name, MAPS, files, version)


def source_of(title: str) -> str:
    return next(one.source for one in list_examples(CodeKind.environment) if one.title.rstrip(".") == title)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(OWN_ENVIRONMENTS, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("title", ["Grid world", "Control task", "Game to play by keys"])
def test_every_template_passes_the_checker_is_drawn_and_has_a_limit(home: Path, title: str) -> None:
    source = source_of(title)
    env_id = put(home, title.replace(" ", "-"), source)
    entry = describe_environment(env_id)
    assert entry["family"] == "own"
    assert entry["max_episode_steps"]
    env = make_environment(env_id, render_mode="rgb_array")
    check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    assert env.render().ndim == 3
    env.close()


def test_a_wrapper_of_ones_own_goes_around_any_environment(home: Path) -> None:
    source = source_of("Wrapper of your own")
    put(home, "hold", source)
    env = make_environment("CartPole-v1", {"wrappers": [{"id": "custom", "code": "hold@v1"}]})
    env.reset(seed=1)
    assert env.step(0)[1] == 2.0, "the first action was played twice"


def test_files_of_the_same_name_belong_to_their_own_environment_and_version(home: Path) -> None:
    """Also when they are imported late, and where names differ only in a character that no module name has."""
    before = set(sys.modules)
    ids = [
        put_maps(home, "two-rooms", 2),
        put_maps(home, "two_rooms", 3),
        put_maps(home, "two.rooms", 4),
        put_maps(home, "two-rooms", 5, version=2),
    ]
    envs = [make_environment(env_id) for env_id in ids]
    for _ in range(2):
        for env, size in zip(envs, (2, 3, 4, 5), strict=True):
            assert env.reset() == (size * 11, {"place": size})
            assert env.step(0)[0] == size
    added = {name for name in set(sys.modules) - before if not name.startswith("own_")}
    assert not added & {"maps", "late", "numbers_of_maps"}
    assert not str(sys.modules["random"].__file__).startswith(str(home)), "others have the one they know"


def test_a_helper_in_a_folder_without_an_init_file_is_found(home: Path) -> None:
    source = BROKEN.replace("1 / 0", "SIZE").replace(
        "import gymnasium\n", "import gymnasium\nfrom parts.size import SIZE\n"
    )
    env = make_environment(put(home, "parts", source, {"parts/size.py": "SIZE = 7\n"}))
    assert env.unwrapped.x == 7


def test_a_helper_that_imports_the_main_file_gets_the_same_module(home: Path) -> None:
    source = "import gymnasium\nSIZES = []\nimport fills\n" + BROKEN.partition("\n")[2].replace(
        "1 / 0", "SIZES[0]"
    )
    env = make_environment(
        put(home, "round", source, {"fills.py": "from environment import SIZES\nSIZES.append(3)\n"})
    )
    assert env.unwrapped.x == 3


def test_code_that_fails_can_be_loaded_again_once_it_is_corrected(home: Path) -> None:
    files = {"half.py": "SIZE = 1 / 0\n"}
    source = BROKEN.replace("1 / 0", "half.SIZE").replace(
        "import gymnasium\n", "import gymnasium\nimport half\n"
    )
    env_id = put(home, "half", source, files)
    with pytest.raises(ZeroDivisionError):
        make_environment(env_id)
    (home / "half" / "v1" / "half.py").write_text("SIZE = 5   # corrected\n")
    assert make_environment(env_id).unwrapped.x == 5


def test_an_error_is_reported_at_the_line_of_the_users_code(home: Path) -> None:
    found = check_own({"env_id": put(home, "broken", BROKEN), "limit_s": LIMIT_S})
    assert found["environment"] is None
    assert found["remarks"] == [
        {"level": "error", "message": "ZeroDivisionError: division by zero", "file": MAIN_FILE, "line": 5}
    ]


def test_code_without_an_environment_is_said_to_have_none(home: Path) -> None:
    found = check_own({"env_id": put(home, "empty", "x = 1\n"), "limit_s": LIMIT_S})
    assert "no class that is derived from gymnasium.Env" in found["remarks"][0]["message"]


def test_a_process_that_does_not_know_the_folder_executes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OWN_ENVIRONMENTS, raising=False)
    put(tmp_path, "unseen", "raise SystemExit('executed')\n")
    with pytest.raises(NotReady, match="not confined"):
        make_environment("own:unseen-v1")


WALK = """import gymnasium
import numpy as np

class Walk(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode=None):
        self.steps = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return RESET

    def step(self, action):
        self.steps += 1
        return STEP
"""
OBSERVATION = "np.zeros(1, np.float32)"


WRONG = {
    "four": ("step", "OBS, 0.0, False, {}", "step() must return observation, reward, terminated"),
    "none": ("step", "OBS, None, False, False, {}", "step() returned None as reward"),
    "list": (
        "step",
        "OBS, np.zeros(1), False, False, {}",
        "step() returned an array of shape (1,) as reward",
    ),
    "bare": ("reset", "OBS", "reset() must return observation and info; it returned an array"),
    "nan": ("step", "OBS, np.nan, False, False, {}", "Step 1 returned a value that is not a number"),
    "shape": ("step", "np.zeros(3, np.float32), 0.0, False, False, {}", "has the shape (3,)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_learned_from_is_one_remark_at_the_line_of_its_method(home: Path, name: str) -> None:
    method, returned, message = WRONG[name]
    results = {"reset": "OBS, {}", "step": "OBS, 0.0, False, False, {}", method: returned}
    source = (
        WALK.replace("RESET", results["reset"]).replace("STEP", results["step"]).replace("OBS", OBSERVATION)
    )
    found = check_own({"env_id": put(home, name, source), "limit_s": LIMIT_S})
    (remark,) = [one for one in found["remarks"] if one["level"] == "error"]
    assert message in remark["message"]
    line = next(n for n, text in enumerate(source.splitlines(), 1) if f"def {method}" in text)
    assert (remark["file"], remark["line"]) == (MAIN_FILE, line)


@pytest.mark.parametrize(
    ("name", "step", "message"),
    [
        (
            "far",
            "np.full(1, 9 if self.steps > 2 else 0, np.float32)",
            "observation of step 3 is not in observation_space",
        ),
        ("wide", "np.zeros(1)", "Observations have the type float64; observation_space has float32"),
    ],
)
def test_observations_outside_their_space_are_a_warning(
    home: Path, name: str, step: str, message: str
) -> None:
    source = WALK.replace("RESET", "OBS, {}").replace("OBS", OBSERVATION)
    source = source.replace("STEP", f"{step}, 0.0, self.steps > 4, False, {{}}")
    found = check_own({"env_id": put(home, name, source), "limit_s": LIMIT_S})
    assert [one for one in found["remarks"] if one["level"] == "error"] == []
    assert any(one["level"] == "warning" and message in one["message"] for one in found["remarks"])


def test_an_argument_that_nobody_gives_is_named_without_the_labs_own_ids(home: Path) -> None:
    source = WALK.replace("render_mode=None", "size, render_mode=None")
    found = check_own({"env_id": put(home, "sized", source), "limit_s": LIMIT_S})
    message = found["remarks"][0]["message"]
    assert message == "TypeError: Walk.__init__() missing 1 required positional argument: 'size'"


def test_what_a_wrapper_makes_of_an_observation_is_named_at_its_line(home: Path) -> None:
    source = "import gymnasium\nimport numpy as np\n\nclass Longer(gymnasium.ObservationWrapper):\n"
    source += "    def observation(self, obs):\n        return np.concatenate([obs, [0.0]])\n"
    found = check_own({"env_id": put(home, "longer", source), "limit_s": 60})
    (remark,) = [one for one in found["remarks"] if one["level"] == "error"]
    assert "has the shape (5,)" in remark["message"]
    assert remark["line"] == 5


@pytest.mark.parametrize(
    ("name", "arguments", "given"),
    [
        ("no_mode", "self", "nothing"),
        ("any", "self, **more", {"render_mode": None}),
        ("human", "self, render_mode='human'", None),
    ],
)
def test_a_class_need_not_take_a_render_mode(home: Path, name: str, arguments: str, given: object) -> None:
    kept = {"no_mode": "'nothing'", "any": "more", "human": "render_mode"}[name]
    source = WALK.replace("self, render_mode=None", arguments).replace(
        "self.steps = 0\n\n", f"self.kept = {kept}\n\n", 1
    )
    env = make_environment(put(home, name, source.replace("RESET", "0, {}").replace("STEP", "0")))
    assert env.unwrapped.kept == given


def test_an_environment_without_pictures_and_arguments_works(home: Path) -> None:
    source = WALK.replace("    def __init__(self, render_mode=None):\n        self.steps = 0\n\n", "")
    source = source.replace("RESET", "OBS, {}").replace("STEP", "OBS, 0.0, self.steps > 4, False, {}")
    found = check_own({"env_id": put(home, "plain", source.replace("OBS", OBSERVATION)), "limit_s": 60})
    assert [one for one in found["remarks"] if one["level"] == "error"] == []
    assert any("It cannot be watched" in one["message"] for one in found["remarks"])
