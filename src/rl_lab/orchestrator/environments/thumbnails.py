"""Stills of environments that the lab ships none of: drawn once per version by a worker, kept in the cache folder."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
from pathlib import Path

from rl_lab.core.environments import Environment, names_module
from rl_lab.core.errors import NotFound, WorkerFailed
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.worker_calls import call_worker


class Thumbnails:
    """One worker at a time: a page full of cards must not take the processor from the runs."""

    def __init__(self, context: Context) -> None:
        self._looking = Looking(context)
        self._folder = context.home / "cache" / "thumbnails"
        self._turns = {is_foreign: asyncio.Semaphore(1) for is_foreign in (False, True)}
        """Foreign code may hang, so the environments of installed packages do not wait for it."""
        self._refused: dict[str, str] = {}
        """Why an environment could not be drawn; not tried again before the next start."""

    async def get(self, env: Environment) -> bytes:
        """A JPEG; NotFound when the environment cannot be drawn."""
        file = self._folder / f"{_key(env)}.jpg"
        jpeg = await asyncio.to_thread(_read, file)
        if jpeg is not None:
            return jpeg
        async with self._turns[names_module(env.id)]:
            # The request before this one may have drawn the same environment.
            return await asyncio.to_thread(_read, file) or await self._draw(env, file)

    async def _draw(self, env: Environment, file: Path) -> bytes:
        if env.id not in self._refused:
            try:
                rights = await self._looking.module_rights(env.id)
                question = {"env_id": env.id, "env_kwargs": {}}
                answer = await call_worker("thumbnail", question, confine=rights)
                jpeg = base64.b64decode(answer["jpeg"])
                await asyncio.to_thread(_write, file, jpeg)
                return jpeg
            except WorkerFailed as error:
                self._refused[env.id] = error.detail
        raise NotFound(
            f"There is no picture of {env.id}. {self._refused[env.id]}",
            next_step="The smoke test on its page shows what is wrong.",
        )


def _key(env: Environment) -> str:
    return hashlib.sha256(f"{env.id} {env.package}".encode()).hexdigest()[:24]


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes() or None
    except OSError:
        return None


def _write(file: Path, jpeg: bytes) -> None:
    with contextlib.suppress(OSError):  # a full disk costs the cache, not the answer
        file.parent.mkdir(parents=True, exist_ok=True)
        aside = file.with_suffix(".new")
        aside.write_bytes(jpeg)
        aside.replace(file)
