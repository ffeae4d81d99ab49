"""`python -m rl_lab.worker.models.hub`: one push or pull, in a process of its own with the network and the token.

It reads one JSON line from stdin (`action` and its arguments) and writes JSON lines to stdout: progress, and at the end
`ended`, or `failed` with a message and a next step. It exits when its stdin is closed, so a killed lab leaves none. It
loads no model: packages are made, and downloads are read, by other processes, which have neither network nor token.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import signal
import sys
import threading
import time
import traceback
from typing import Any

from rl_lab.core.errors import LabError
from rl_lab.core.extras import how_to_install
from rl_lab.worker.models.hub_errors import explain_hub, without_tokens

ACTIONS = {
    "check_token": "rl_lab.worker.models.hub_push:check_token",
    "push": "rl_lab.worker.models.hub_push:push",
    "pull": "rl_lab.worker.models.hub_pull:pull",
}
QUIET = {
    # Xet has storage servers of its own; without it HF_ENDPOINT alone decides where data goes.
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "HF_HUB_DISABLE_SYMLINKS_WARNING": "1",
}
"""Set before huggingface_hub is imported, which reads them then."""
CLEANING_S = 1.5
"""Less than the lab waits for the end of the process."""


def main() -> int:
    result_fd = os.dup(1)
    os.dup2(2, 1)  # output of libraries must not mix with the results
    given = json.loads(sys.stdin.readline())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the lab without it
    threading.Thread(target=_exit_with_the_lab, daemon=True).start()
    with os.fdopen(result_fd, "w", encoding="utf-8", buffering=1) as results:

        def report(change: dict[str, Any]) -> None:
            results.write(json.dumps(change) + "\n")

        failure = run_action(given, report)
        report({"ended": True} if failure is None else {"failed": failure})
    sys.stderr.flush()
    os._exit(0 if failure is None else 1)


def run_action(given: dict[str, Any], report: Any) -> dict[str, Any] | None:
    """None, or the message and next step of a failure."""
    os.environ.update(QUIET)
    logging.disable(logging.CRITICAL)  # the library logs addresses, which may carry signatures
    try:
        module, _, name = ACTIONS[given["action"]].partition(":")
        getattr(importlib.import_module(module), name)(given, report)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "huggingface_hub":
            raise
        return {
            "message": "Models on the Hugging Face Hub need the package huggingface_hub.",
            "next_step": how_to_install("hub"),
        }
    except Exception as error:
        return _explain(error, str(given.get("repo", "")))
    return None


def _explain(error: Exception, repo: str) -> dict[str, Any]:
    from huggingface_hub import constants

    found = error if isinstance(error, LabError) else explain_hub(error, repo, constants.ENDPOINT)
    if found is None:
        sys.stderr.write(without_tokens(traceback.format_exc()))
        words = without_tokens(str(error)).strip().splitlines()
        return {
            "message": f"{type(error).__name__}: {words[0] if words else 'no message'}",
            "next_step": None,
        }
    return {"message": without_tokens(found.detail), "next_step": found.next_step}


def _exit_with_the_lab() -> None:
    """Interrupts the library first, so that it deletes what it has half written to its cache."""
    while sys.stdin.buffer.read(4096):
        pass
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    time.sleep(CLEANING_S)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
