"""Every exception that can end a worker becomes cause, plain words and next step."""

from __future__ import annotations

import errno

import gymnasium
import pytest

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.worker.failures import Diverged, blame_rewards, explain


class OutOfMemoryError(RuntimeError):
    """Named like torch's."""


@pytest.mark.parametrize(
    ("error", "cause", "said"),
    [
        (ModuleNotFoundError("No module named 'ale_py'", name="ale_py"), "missing-package", "rl-lab[atari]"),
        (ModuleNotFoundError("x", name="Box2D"), "missing-package", "rl-lab[box2d]"),
        (ModuleNotFoundError("x", name="highway_env.envs"), "missing-package", "highway-env"),
        (MemoryError(), "out-of-memory", "replay buffer"),
        (OutOfMemoryError("CUDA out of memory. Tried to allocate"), "out-of-memory", "GPU"),
        (Diverged("Learning diverged: loss became nan at step 7."), "diverged", "step 7"),
        (FloatingPointError("overflow"), "diverged", "learning rate"),
        (
            ValueError("Expected parameter logits … but found invalid values: tensor([[nan]])"),
            "diverged",
            "NaN",
        ),
        (KeyboardInterrupt(), "interrupted", "keyboard"),
        (InvalidInput.of_field("env_id", "no such thing"), "bad-config", "no such thing"),
        (NotReady("No GPU here.", cause="no-gpu", next_step="Use the CPU."), "no-gpu", "Use the CPU"),
        (NotReady("Not now.", next_step="Try again."), "not-ready", "Not now"),
        (OSError(errno.ENOSPC, "No space left on device"), "disk-full", "Free some space"),
        (ZeroDivisionError("division by zero"), "crashed", "ZeroDivisionError: division by zero"),
        (RuntimeError("first line\nthe last line"), "crashed", "RuntimeError: the last line"),
        (RuntimeError(), "crashed", "RuntimeError"),
    ],
)
def test_a_failure_names_cause_and_next_step(error: BaseException, cause: str, said: str) -> None:
    failure = explain(error)
    assert failure.cause == cause
    assert said in failure.message + failure.next_step
    assert failure.message
    assert failure.next_step


def test_a_learner_that_diverged_may_bring_its_own_advice() -> None:
    advice = "Lower learning_rate from 0.1 to 0.033, then start again."
    failure = explain(Diverged("Learning diverged.", next_step=advice))
    assert (failure.cause, failure.message, failure.next_step) == ("diverged", "Learning diverged.", advice)


def test_rewards_that_are_not_numbers_are_blamed_for_a_divergence_only() -> None:
    calm = Diverged("Learning diverged: loss became nan at step 7.", next_step="Lower learning_rate.")
    blamed = blame_rewards(calm)
    assert blamed is not None
    failure = explain(blamed)
    assert failure.cause == "diverged"
    assert failure.message.startswith(str(calm))
    assert "had returned a reward that is not a finite number" in failure.message
    assert "Correct the environment" in failure.next_step
    assert blame_rewards(ZeroDivisionError()) is None


def test_a_wrapped_import_error_still_names_the_package() -> None:
    try:
        try:
            raise ModuleNotFoundError("No module named 'Box2D'", name="Box2D")
        except ImportError as error:
            raise gymnasium.error.DependencyNotInstalled("Box2D is not installed") from error
    except gymnasium.error.DependencyNotInstalled as error:
        assert explain(error).cause == "missing-package"


def test_an_unknown_environment_is_a_wrong_setting() -> None:
    with pytest.raises(gymnasium.error.UnregisteredEnv) as caught:
        gymnasium.spec("Nowhere-v0")
    failure = explain(caught.value)
    assert failure.cause == "bad-config"
    assert "Nowhere" in failure.message
