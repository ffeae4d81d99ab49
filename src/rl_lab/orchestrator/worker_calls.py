"""A worker call: one question to a short-lived child process that may import simulators and learners."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from typing import Any

import orjson

from rl_lab.core.errors import WorkerFailed

TIMEOUT_S = 60.0
DOCTOR = "`rl-lab doctor` checks the installation."
FAILURES = {
    "environments": "The environments could not be listed",
    "probe": "The devices of this machine could not be read",
    "check_exactness": "Whether replays are exact could not be checked",
    "smoke_test": "The environment could not be tested",
    "make_clip": "The clip could not be written",
    "export_model": "The model could not be exported",
    "thumbnail": "The picture of the environment could not be drawn",
    "tabulate": "The episode could not be replayed",
    "filmstrips": "The pictures of the agent could not be drawn",
    "film_episode": "The video of the episode could not be written",
}
"""By worker call: what did not work, for the person who asked for it."""
KEPT_VARIABLES = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "VIRTUAL_ENV",
        "CUDA_VISIBLE_DEVICES",
        "LD_LIBRARY_PATH",
        "DISPLAY",
        "XDG_CACHE_HOME",
        "RL_LAB_FAKE_RUNNER",
        "SYSTEMROOT",
    }
)
KEPT_PREFIXES = ("PYTHON", "LC_", "NUMBA_", "COVERAGE_")


def worker_variables(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment variables of a worker: an allow-list, so that no secret of the server reaches it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT_VARIABLES or name.startswith(KEPT_PREFIXES)
    }
    return {
        **kept,
        "OMP_NUM_THREADS": "1",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        **(extra or {}),
    }


async def call_worker(name: str, question: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Any:
    """The answer of `rl_lab.worker.calls NAME`; raises WorkerFailed with its error output."""
    # -P: a file in the current folder must not shadow a module.
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "rl_lab.worker.calls",
        name,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=worker_variables(),
        start_new_session=True,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(orjson.dumps(question or {})), timeout_s)
    except TimeoutError:
        raise WorkerFailed(
            f"{_what_failed(name)}: it took longer than {timeout_s:.0f} s.",
            next_step="Try again when the machine is less busy.",
        ) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return _answer(name, process.returncode, out, err)


def _answer(name: str, code: int | None, out: bytes, err: bytes) -> Any:
    if code == 0:
        try:
            return orjson.loads(out)
        except orjson.JSONDecodeError:
            raise WorkerFailed(
                f"{_what_failed(name)}: the answer cannot be read.", next_step=DOCTOR
            ) from None
    reason, next_step = _reason(err)
    if reason is None:
        reason = f"its process ended with exit code {code} and no message"
    raise WorkerFailed(f"{_what_failed(name)}: {reason.rstrip('.')}.", next_step=next_step or DOCTOR)


def _what_failed(name: str) -> str:
    return FAILURES.get(name, "The lab could not finish this")


def _reason(err: bytes) -> tuple[str | None, str | None]:
    """The message and next step that the worker wrote last; another last line is the message itself."""
    lines = err.decode("utf-8", "replace").strip().splitlines()
    if not lines:
        return None, None
    try:
        told = orjson.loads(lines[-1])
        return str(told["message"]), told["next_step"] or None
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return lines[-1], None
