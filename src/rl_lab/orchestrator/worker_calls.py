"""A worker call: one question to a short-lived child process that may import simulators and learners."""

from __future__ import annotations

import asyncio
import os
from typing import Any
from weakref import WeakKeyDictionary

import orjson

from rl_lab.core.errors import WorkerFailed
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.worker_process import LIMIT_REASONS, end_worker, start_worker

TIMEOUT_S = 60.0
DOCTOR = "`rl-lab doctor` checks the installation."
FAILURES = {
    "environments": "The environments could not be listed",
    "probe": "The devices of this machine could not be read",
    "check_exactness": "Whether replays are exact could not be checked",
    "smoke_test": "The environment could not be tested",
    "make_clip": "The clip could not be written",
    "inspect_model": "The model file could not be read",
    "convert_model": "The model could not be imported",
    "export_model": "The model could not be exported",
    "make_package": "The model could not be packaged",
    "thumbnail": "The picture of the environment could not be drawn",
    "tabulate": "The episode could not be replayed",
    "filmstrips": "The pictures of the agent could not be drawn",
    "inspect_checkpoint": "The checkpoint could not be inspected",
    "compare_weights": "The weights could not be compared",
    "play_controls": "The keys of the environment could not be found",
    "check_datasets": "The datasets of the pack could not be read",
    "check_own": "The environment could not be tried",
    "check_code": "The code could not be tried",
    "check_syntax": "The code could not be read",
    "film_episode": "The video of the episode could not be written",
    "ask_download_size": "Minari's server could not be asked for the dataset",
    "preview_evaluation": "The evaluation code could not be tried",
}
"""By worker call: what did not work, for the person who asked for it."""
SHORT = frozenset({"environments", "probe", "thumbnail", "make_clip", "play_controls"})
"""Calls that take seconds at most; they do not wait behind those that may take minutes."""
AT_ONCE = {"short": 2, "long": max(2, os.cpu_count() or 1), "foreign": max(2, os.cpu_count() or 1)}
"""Processes at once; calls about foreign code wait apart, because that code may hang until the time limit."""
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Semaphore]] = WeakKeyDictionary()


async def call_worker(
    name: str,
    question: dict[str, Any] | None = None,
    timeout_s: float = TIMEOUT_S,
    *,
    confine: Confinement | None = None,
    output: int | None = None,
) -> Any:
    """The answer of `rl_lab.worker.calls NAME`; raises WorkerFailed with its error output.

    Waits for its turn. When the caller is cancelled, the process is ended with everything it started.
    `confine` is what it may use, where it looks at something of foreign code; a file that it makes is written to the
    open file `output`, so that it needs no right to create one.
    """
    given = {**(question or {}), **({} if output is None else {"output": output})}
    async with _turn("foreign" if confine is not None else "short" if name in SHORT else "long"):
        process = await start_worker(
            "rl_lab.worker.calls", [name], confine=confine, keep=() if output is None else (output,)
        )
        try:
            out, err = await asyncio.wait_for(process.communicate(orjson.dumps(given)), timeout_s)
        except TimeoutError:
            raise WorkerFailed(
                f"{_what_failed(name)}: it took longer than {timeout_s:.0f} s.",
                next_step="Try again when the machine is less busy.",
            ) from None
        finally:
            await end_worker(process, is_confined=confine is not None)
    return _answer(name, process.returncode, out, err)


def _turn(lane: str) -> asyncio.Semaphore:
    """Counted for each event loop: a semaphore belongs to one."""
    turns = _turns.setdefault(asyncio.get_running_loop(), {})
    return turns.setdefault(lane, asyncio.Semaphore(AT_ONCE[lane]))


def _answer(name: str, code: int | None, out: bytes, err: bytes) -> Any:
    if code == 0 and out.strip():
        try:
            return orjson.loads(out)
        except orjson.JSONDecodeError:
            raise WorkerFailed(
                f"{_what_failed(name)}: the answer cannot be read.", next_step=DOCTOR
            ) from None
    reason, next_step = _reason(err)
    if code == 0:
        reason, next_step = "its process ended early, without an answer", None
    elif code in LIMIT_REASONS:
        reason, next_step = LIMIT_REASONS[code], None
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
