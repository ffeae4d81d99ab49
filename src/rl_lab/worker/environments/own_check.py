"""Tries an environment that the user wrote, in a confined process: what it is, and remarks at their lines."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.own_environments import CUSTOM, WRAPPERS, read_own_id
from rl_lab.portable.error_text import error_text
from rl_lab.worker.environments.make import describe_environment, environment_version, make_environment
from rl_lab.worker.environments.own import has_environment, has_wrapper, load_module, own_folder
from rl_lab.worker.environments.returned import WrongResult
from rl_lab.worker.environments.smoke import CHECKS

LEVELS = {"problem": "error", "warning": "warning", "ok": "info"}
NO_LIMIT = "No step limit: set MAX_EPISODE_STEPS, or an episode may never end."
NOT_DRAWN = (
    'It cannot be watched: render() must return a picture, height × width × 3, for render_mode="rgb_array"'
)
CALLED_BY_STEP = ("observation", "reward")
"""What Gymnasium's wrappers call in the user's class."""
SLOW = 500.0
"""Steps per second below which an environment, not the learner, decides how long a training takes."""


class StillBusy(BaseException):
    """Raised in the line that is being executed; not an Exception, which an environment may catch."""


def check_own(given: dict[str, Any]) -> dict[str, Any]:
    """Worker call `check_own`: remarks with file and line, the catalogue's entry, steps per second.

    Code that has a wrapper and no environment is tried around `wraps`, for at most `limit_s`.
    """
    import gymnasium  # noqa: F401  how long this takes is not the user's time

    env_id, wraps = str(given["env_id"]), str(given.get("wraps") or "CartPole-v1")
    own = read_own_id(env_id)
    assert own is not None
    folder = own_folder(own)
    try:
        with _time_limit(float(given["limit_s"])):
            module = load_module(own)
            if has_environment(module) or not has_wrapper(module):
                return _check_environment(env_id, folder)
            wrapped = {WRAPPERS: [{"id": CUSTOM, "code": f"{own.slug}@v{own.version}"}]}
            return {**_run_checks(wraps, wrapped, folder), "environment": None}
    except BaseException as error:  # whatever the code does while it is loaded is a remark
        return {"environment": None, "remarks": [_remark(error, folder)], "rate": None}


@contextmanager
def _time_limit(limit_s: float) -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise StillBusy(
            f"It was still busy here after {limit_s:.0f} s: a reset() or step() that takes very long, or never returns."
        )

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _check_environment(env_id: str, folder: Path) -> dict[str, Any]:
    entry = describe_environment(env_id)
    if entry.get("problem"):
        make_environment(env_id)  # raises, with the line
    found = _run_checks(env_id, {}, folder)
    if not entry.get("max_episode_steps"):
        found["remarks"].append({"level": "warning", "message": NO_LIMIT})
    return {**found, "environment": {**entry, "package": environment_version(env_id)}}


def _run_checks(env_id: str, env_kwargs: dict[str, Any], folder: Path) -> dict[str, Any]:
    remarks, rate = [], None
    for name, check in CHECKS.items():
        remark, measured = _try(check, env_id, env_kwargs, folder)
        if name == "drawing" and remark["level"] == "error":
            remark = {**remark, "level": "warning", "message": f"{NOT_DRAWN} ({remark['message']})"}
        if name == "api" and "eterministic" in remark["message"]:
            remark = {**remark, "level": "warning"}  # it can be trained in all the same
        if (name != "speed" or remark["level"] == "error") and remark not in remarks:
            remarks.append(remark)
        rate = measured if name == "speed" else rate
        if name in ("api", "numbers") and remark["level"] == "error":
            break  # what follows would only repeat it
    if rate is not None and rate < SLOW:
        remarks.append({"level": "warning", "message": f"It is slow: {rate:,.0f} steps per second."})
    return {"remarks": remarks, "rate": rate}


def _try(
    check: Callable[..., dict[str, Any]], env_id: str, env_kwargs: dict[str, Any], folder: Path
) -> tuple[dict[str, Any], float | None]:
    try:
        found = check(env_id, env_kwargs)
    except StillBusy:
        raise
    except WrongResult as error:
        place = _method_of(error.method, env_id, env_kwargs, folder)
        return {"level": "error", "message": str(error), **place}, None
    except BaseException as error:  # a broken environment is what this is for
        return _remark(error, folder), None
    return {"level": LEVELS[found["level"]], "message": found["message"]}, found.get("rate")


def _method_of(method: str, env_id: str, env_kwargs: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The line of a method of the user's class: of the outermost one, if it wraps others."""
    env = make_environment(env_id, env_kwargs)
    while env is not None:
        for name in (method, *CALLED_BY_STEP):
            code = getattr(getattr(type(env), name, None), "__code__", None)
            if code is not None and Path(code.co_filename).is_relative_to(folder):
                return {"file": str(Path(code.co_filename).relative_to(folder)), "line": code.co_firstlineno}
        env = vars(env).get("env")
    return {}


def _remark(error: BaseException, folder: Path) -> dict[str, Any]:
    """The innermost line of the user's code, if the error has one."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(folder)
    ]
    message = error_text(error).partition(" was raised from the environment creator for ")[0]
    if isinstance(error, StillBusy):
        message = str(error)
    if isinstance(error, InvalidInput):
        message = "; ".join(one.message for one in error.errors)
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(folder):
        place = {"file": str(Path(error.filename).relative_to(folder)), "line": error.lineno}
    elif frames:
        place = {"file": str(Path(frames[-1].filename).relative_to(folder)), "line": frames[-1].lineno}
    else:
        place = {}
    return {"level": "error", "message": message[:2000], **place}
