"""Explains why a script failed: cause, message, next step. Standard library only."""

from __future__ import annotations

import errno
import os
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from rl_lab.portable.failures import CALMER, Failure, chain, missing_module
from rl_lab.portable.missing_modules import Missing, advise, describe, look_for

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

NO_CUDA = (
    "Torch not compiled with CUDA",
    "Found no NVIDIA driver",
    "No CUDA GPUs are available",
    "CUDA driver version",
)
DISCONNECTED = (errno.EACCES, errno.EPERM, errno.ENETUNREACH, errno.EAFNOSUPPORT)


class ScriptMissing(Exception):
    """The script or module to run does not exist, or is not Python."""

    def __init__(self, message: str, next_step: str) -> None:
        super().__init__(message)
        self.next_step = next_step


class DatasetUnusable(ScriptMissing):
    """The dataset that the script learns from, or its environment, cannot be used."""


class ScriptChanged(ScriptMissing):
    """A file is not the one that the user approved, so it was not run."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "Look at it, then start it again: the lab asks for your approval.")


def explain(error: BaseException, session: CaptureSession) -> Failure:
    """The failure for an exception that the script did not catch."""
    for known in EXPLANATIONS:
        failure = known(error, session)
        if failure is not None:
            return failure
    lines = str(error).strip().splitlines()
    where = _location(error, session)
    return Failure(
        "crashed",
        f"The script crashed with {type(error).__name__}{': ' + lines[-1] if lines else ''}{where}",
        "The log has the full traceback.",
    )


def explain_exit(code: int) -> Failure:
    return Failure(
        "exit-code",
        f"The script ended with exit code {code}.",
        "The end of the log shows its last output; exit code 0 would mean success.",
    )


def _missing_script(error: BaseException, _session: CaptureSession) -> Failure | None:
    if not isinstance(error, ScriptMissing):
        return None
    causes = {ScriptChanged: "script-changed", DatasetUnusable: "dataset-unusable"}
    return Failure(causes.get(type(error), "script-missing"), str(error), error.next_step)


def _missing_package(error: BaseException, session: CaptureSession) -> Failure | None:
    module = missing_module(error)
    if module is None:
        return None
    if module in sys.modules and not isinstance(error, ModuleNotFoundError):
        return None  # it is installed, but lacks what the script expects
    missing = _all_missing(module, session)
    advice = advise(missing, sys.executable, os.environ.get("PYTHONPATH", ""))
    return Failure("missing-package", describe(missing), advice)


def _all_missing(module: str, session: CaptureSession) -> list[Missing]:
    """The module that was not found, and the others that the lab found missing before the start."""
    inputs = session.job.get("inputs") or {}
    known = [Missing(*one) for one in inputs.get("missing") or ()]
    if module in [one.module for one in known]:
        return known
    starts = [session.script_folder, str(session.params.get("folder") or "")]
    return [*look_for([module], starts), *known]


def _wrong_import(error: BaseException, _session: CaptureSession) -> Failure | None:
    if not isinstance(error, ImportError):
        return None
    return Failure(
        "missing-package",
        f"An import failed: {error}.",
        "The package is installed in another version than the script needs; the log has the full traceback.",
    )


def _syntax(error: BaseException, _session: CaptureSession) -> Failure | None:
    if not isinstance(error, SyntaxError):
        return None
    where = f" in {error.filename}, line {error.lineno}" if error.filename and error.lineno else ""
    newer = ""
    if sys.version_info < (3, 12):
        newer = f", or use a newer Python than {sys.version_info[0]}.{sys.version_info[1]}"
    return Failure(
        "syntax-error", f"The script is not valid Python: {error.msg}{where}.", f"Correct the line{newer}."
    )


def _input_requested(error: BaseException, _session: CaptureSession) -> Failure | None:
    if not isinstance(error, EOFError) or "reading a line" not in str(error):
        return None
    return Failure(
        "asked-for-input",
        "The script asked for input, which a run cannot give.",
        "Pass the input as an argument, or as a variable with --env.",
    )


def _cuda(error: BaseException, _session: CaptureSession) -> Failure | None:
    if not any(words in str(link) for link in chain(error) for words in NO_CUDA):
        return None
    return Failure(
        "no-cuda",
        "The script needs a CUDA GPU, and this Python has none it can use.",
        "Run the script on the CPU (often --no-cuda or --device cpu), or on a machine with a GPU.",
    )


def _memory(error: BaseException, _session: CaptureSession) -> Failure | None:
    # torch is not imported for this: its class is recognised by name.
    if type(error).__name__ == "OutOfMemoryError" or "CUDA out of memory" in str(error):
        return Failure(
            "out-of-memory",
            "The GPU ran out of memory.",
            "Use a smaller batch or network, fewer environments, or the CPU.",
        )
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return Failure(
            "out-of-memory",
            "The script ran out of memory.",
            "Use a smaller replay buffer or batch, fewer environments, or close other programs.",
        )
    return None


def _disk(error: BaseException, _session: CaptureSession) -> Failure | None:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EFBIG:
        return Failure(
            "file-too-large",
            f"The script wrote a file that is too large{_named(error)}.",
            "Write less into one file, or start the lab with a higher RL_LAB_SCRIPT_FILE_BYTES.",
        )
    if number in (errno.ENOSPC, errno.EDQUOT):
        return Failure(
            "disk-full", "The disk, or the space a run may use, is full.", "Free some space, or write less."
        )
    return None


def _not_found(error: BaseException, session: CaptureSession) -> Failure | None:
    if not isinstance(error, FileNotFoundError) or not isinstance(error.filename, str):
        return None
    path, folder = error.filename, str(session.params.get("folder") or "")
    if os.path.isabs(path) or not folder or not os.path.exists(os.path.join(folder, path)):
        return None
    return Failure(
        "file-not-found",
        f"The script looks for “{path}” in the run's folder, but the file is in {folder}.",
        f"Run it there with --workdir {shlex.quote(folder)}, or give the script the full path.",
    )


def _forbidden(error: BaseException, session: CaptureSession) -> Failure | None:
    if not isinstance(error, PermissionError) or not isinstance(error.filename, str):
        return None
    path = os.path.abspath(error.filename)
    folder, is_there = os.path.dirname(path), os.path.exists(path)
    # access() checks the permissions of the file, which confinement does not change.
    if not os.access(path if is_there else folder, os.R_OK if is_there else os.W_OK):
        words = f"The script may not use {path}: permission denied."
        return Failure("not-allowed", words, "Choose a path that you have permission to use.")
    if _is_lab_file(path, session):
        words = f"The script may not use {path}: it belongs to the lab."
        return Failure(
            "not-allowed", words, "Use another path: scripts can never be allowed to use the lab's own files."
        )
    if is_there:
        words = f"The script may not use {path}: it is confined to its own folders."
        step = (
            f"Allow it with --read {shlex.quote(path)}, or, to change it, with --write {shlex.quote(folder)}."
        )
        return Failure("not-allowed", words, step)
    words = f"The script may not write to {path}: it is confined to its run's folder."
    step = f"Allow it with --write {shlex.quote(folder)}, or run it there with --workdir."
    return Failure("not-allowed", words, step)


def _is_lab_file(path: str, session: CaptureSession) -> bool:
    """Token, database and other files in the home folder, except its `runs`."""
    runs = os.path.dirname(os.path.realpath(session.run_dir))
    real = os.path.realpath(path) + os.sep
    return real.startswith(os.path.dirname(runs) + os.sep) and not real.startswith(runs + os.sep)


def _network(error: BaseException, session: CaptureSession) -> Failure | None:
    if session.params.get("network") or not any(_is_disconnected(link) for link in chain(error)):
        return None
    return Failure(
        "no-network",
        "The script tried to use the network, which is not allowed for this run.",
        "Allow it with --network.",
    )


def _is_disconnected(error: BaseException) -> bool:
    inner = [error, *(a for a in error.args if isinstance(a, BaseException)), getattr(error, "reason", None)]
    for one in inner:
        if type(one).__name__ == "gaierror":
            return True
        if isinstance(one, OSError) and one.errno in DISCONNECTED and one.filename is None:
            return True
    return False


def _diverged(error: BaseException, _session: CaptureSession) -> Failure | None:
    # torch.distributions refuses NaN logits with this ValueError.
    nan_policy = (
        isinstance(error, ValueError) and "invalid values" in str(error) and "nan" in str(error).lower()
    )
    if not isinstance(error, FloatingPointError) and not nan_policy:
        return None
    return Failure("diverged", "Learning diverged: values became NaN.", CALMER)


def _interrupted(error: BaseException, _session: CaptureSession) -> Failure | None:
    if not isinstance(error, KeyboardInterrupt):
        return None
    return Failure("interrupted", "The script was interrupted.", "Start it again.")


def _environment(error: BaseException, _session: CaptureSession) -> Failure | None:
    if not {cls.__name__ for cls in type(error).__mro__} & {"UnregisteredEnv", "DeprecatedEnv"}:
        return None
    text = str(error).strip()
    return Failure("bad-config", text, "Give the script another environment; the log has the full traceback.")


def _named(error: BaseException) -> str:
    name = getattr(error, "filename", None)
    return f": {name}" if isinstance(name, str) else ""


def _location(error: BaseException, session: CaptureSession) -> str:
    """The innermost line of the script's own code in the traceback."""
    from rl_lab.capture.models import is_own_frame

    location, tb = "", error.__traceback__
    while tb is not None:
        if is_own_frame(tb.tb_frame, session.script_folder):
            location = f" ({os.path.basename(tb.tb_frame.f_code.co_filename)}, line {tb.tb_lineno})"
        tb = tb.tb_next
    return location


EXPLANATIONS: tuple[Callable[[BaseException, CaptureSession], Failure | None], ...] = (
    _missing_script,
    _missing_package,
    _wrong_import,
    _syntax,
    _input_requested,
    _cuda,
    _memory,
    _disk,
    _not_found,
    _forbidden,
    _network,
    _diverged,
    _interrupted,
    _environment,
)
