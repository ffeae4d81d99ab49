"""The process of one push or pull: it alone has the network and the Hub's token, and it loads no model."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import orjson

from rl_lab.core.errors import NotReady, WorkerFailed
from rl_lab.orchestrator.piped_process import PipedProcess

MODULE = "rl_lab.worker.models.hub"
PREFIXES = ("HF_", "HUGGING_FACE_HUB_TOKEN")
KEPT = frozenset(
    {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    | {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"}
)
"""How the Hub is reached; proxies are also written in lower case."""

OnChange = Callable[[dict[str, Any]], None]


async def run_hub(given: dict[str, Any], on_change: OnChange) -> None:
    """Waits for its end; NotReady with its own words when it failed. Ends with the task that waits."""
    process = await PipedProcess.start(MODULE, variables=hub_variables())
    try:
        process.stdin.write(orjson.dumps(given) + b"\n")
        await process.stdin.drain()
        while line := await process.stdout.readline():
            change = orjson.loads(line)
            if "failed" in change:
                raise NotReady(change["failed"]["message"], next_step=change["failed"]["next_step"])
            if "ended" in change:
                return
            on_change(change)
        code = await process.exit_code()
        last = (process.error_lines() or ["no message"])[-1]
        raise WorkerFailed(f"The connection to the Hub ended with exit code {code}: {last}")
    finally:
        await process.close()


def hub_variables() -> dict[str, str]:
    """What huggingface_hub reads: where it keeps its token and its cache, and how it reaches the Hub."""
    return {
        name: value for name, value in os.environ.items() if name.startswith(PREFIXES) or name.upper() in KEPT
    }
