"""Short worker calls: `python -m rl_lab.worker.calls NAME`, JSON on stdin, one JSON result on stdout.

A call that fails has exit code 1; the last line of stderr is the reason as JSON: `message` and `next_step`.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from typing import Any

from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.worker.failures import explain

CALLS: dict[str, str] = {
    "environments": "rl_lab.worker.environments.make:call_list",
    "probe": "rl_lab.portable.machine:call_probe",
    "check_exactness": "rl_lab.worker.calls:check_exactness",
    "smoke_test": "rl_lab.worker.calls:smoke_test",
    "make_clip": "rl_lab.worker.rendering.clips:make_clip",
    "inspect_model": "rl_lab.runners.imports.calls:inspect_model",
    "convert_model": "rl_lab.runners.imports.calls:convert_model",
    "export_model": "rl_lab.worker.jobs.exports:export_model",
    "make_package": "rl_lab.worker.models.packages:make_package",
    "thumbnail": "rl_lab.worker.rendering.thumbnails:make_thumbnail",
    "tabulate": "rl_lab.worker.rendering.whole_episode:tabulate",
    "filmstrips": "rl_lab.worker.rendering.filmstrip:draw_filmstrips",
    "inspect_checkpoint": "rl_lab.worker.models.inspection:inspect_checkpoint",
    "compare_weights": "rl_lab.worker.models.inspection:compare_weights",
    "play_controls": "rl_lab.worker.plays.environment_controls:call_controls",
    "check_datasets": "rl_lab.worker.datasets.checking:check_datasets",
    "check_own": "rl_lab.worker.environments.own_check:check_own",
    "check_code": "rl_lab.worker.jobs.code_checks:check_code",
    "check_syntax": "rl_lab.worker.calls:check_syntax",
    "film_episode": "rl_lab.worker.rendering.whole_episode:film_episode",
    "ask_download_size": "rl_lab.worker.datasets.minari_server:ask_size",
    "preview_evaluation": "rl_lab.worker.jobs.evaluation_previews:preview_evaluation",
}
"""Functions from one JSON object to a JSON value; strings, so nothing loads until used."""
MAX_INPUT_BYTES = 64 << 20


def main(argv: list[str]) -> int:
    result_fd = os.dup(1)
    os.dup2(2, 1)  # output of libraries must not mix with the result
    try:
        answer = json.dumps(call(argv[1], _read_input()), allow_nan=False).encode() + b"\n"
        while answer:
            answer = answer[os.write(result_fd, answer) :]
        code = 0
    except BaseException as error:  # reported to the lab
        traceback.print_exc()
        failure = explain(error)
        # The advice for a crash points to the log of a run, which a call does not have; an error of ours has its own.
        is_crash = failure.cause == "crashed" and not isinstance(error, LabError)
        next_step = None if is_crash else failure.next_step
        print(json.dumps({"message": failure.message, "next_step": next_step}), file=sys.stderr)
        code = 1
    sys.stderr.flush()
    # Libraries may have started threads that never end; the result has been written.
    os._exit(code)


def call(name: str, given: dict[str, Any]) -> Any:
    if name not in CALLS:
        raise InvalidInput.of_field("call", f"The worker call “{name}” does not exist.", sorted(CALLS))
    module, _, function = CALLS[name].partition(":")
    return getattr(importlib.import_module(module), function)(given)


def check_exactness(given: dict[str, Any]) -> dict[str, Any]:
    from rl_lab.worker.environments.repeatability import check_exactness as check

    return check(str(given["env_id"]), dict(given.get("env_kwargs") or {}))


def smoke_test(given: dict[str, Any]) -> dict[str, Any]:
    from rl_lab.worker.environments.smoke import smoke_test as test

    return test(str(given["env_id"]), dict(given.get("env_kwargs") or {}))


def check_syntax(given: dict[str, Any]) -> list[dict[str, Any]]:
    from rl_lab.core.workbench.code_files import check_code
    from rl_lab.core.workbench.code_kinds import CodeKind

    return [one.model_dump() for one in check_code(str(given["source"]), CodeKind(given["kind"]))]


def _read_input() -> dict[str, Any]:
    """Empty input, null or a terminal count as an empty object."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES)
    given = json.loads(data) if data.strip() else None
    if given is not None and not isinstance(given, dict):
        raise InvalidInput.of_field("input", "A worker call takes a JSON object.")
    return given or {}


if __name__ == "__main__":
    sys.exit(main(sys.argv))
