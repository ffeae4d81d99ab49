"""Runs the script as Python itself would, with the taps installed, and reports how it ended."""

from __future__ import annotations

import atexit
import faulthandler
import os
import sys
import threading
from typing import Any

from rl_lab.capture.agreed_files import AgreedFiles, install_finder
from rl_lab.capture.endings import end_by_error, succeeded, wrap_exit_calls
from rl_lab.capture.failures import ScriptMissing
from rl_lab.capture.hooks import install_hooks
from rl_lab.capture.session import CaptureSession, read_job
from rl_lab.portable.emitter import Emitter

USAGE = (
    "The capture layer is started by the lab: start.py JOB.json -- script.py args…, or … -- -m module args…"
)


def run(argv: list[str], protocol_fd: int, command_fd: int) -> int:
    """Returns the exit code; `finished` is sent later, after the script's threads and atexit calls."""
    lines = Emitter(protocol_fd, seq=1)  # hello was line 0
    session = _prepare(argv, lines, command_fd)
    if session is None:
        return 2
    try:
        run_target(argv[2:], session)
    except BaseException as error:  # every end of the script is explained
        return _end(session, error) if os.getpid() == session.pid else _end_of_child(error)
    return _end(session, None) if os.getpid() == session.pid else 0


def _prepare(argv: list[str], lines: Emitter, command_fd: int) -> CaptureSession | None:
    try:
        if len(argv) < 3 or argv[1] != "--" or argv[2:] == ["-m"]:
            raise ValueError(USAGE)
        session = CaptureSession(read_job(argv[0]), lines, command_fd)
    except (OSError, ValueError) as error:
        step = "This is a bug of the lab, not of the script."
        lines.finished("failed", cause="bad-job", message=f"The job cannot be read: {error}", next_step=step)
        lines.close()
        return None
    atexit.register(session.send_finished)  # registered first, so called last
    wrap_exit_calls(session)
    session.control.install_signal_handlers()
    install_hooks(session)
    _show_output_at_once()
    return session


def run_target(target: list[str], session: CaptureSession) -> None:
    """Run the command after `--` in a process that looks as if it had been started without us."""
    main = type(sys)("__main__")
    vars(main).update(__builtins__=sys.modules["builtins"], __spec__=None, __loader__=None, __package__=None)
    agreed = _agreed_files(session)
    sys.modules["rl_lab.capture.start"] = sys.modules["__main__"]
    sys.modules["__main__"] = main
    if target[0] == "-m":
        _run_module(target[1], target[2:], session, agreed)
    else:
        _run_script(target, main, session, agreed)


def _agreed_files(session: CaptureSession) -> AgreedFiles:
    """All of them are read and compared before anything of the script runs."""
    agreed = AgreedFiles((session.job.get("inputs") or {}).get("agreed") or {})
    if agreed.contents:
        install_finder(agreed)
    return agreed


def _run_script(argv: list[str], main: Any, session: CaptureSession, agreed: AgreedFiles) -> None:
    path = argv[0]
    sys.argv[:] = argv
    folder = os.path.dirname(os.path.realpath(path))
    source = agreed.require(path)
    if source is None and (os.path.isdir(path) or path.endswith((".pyc", ".pyz", ".zip"))):
        session.script_folder = os.path.abspath(path)
        _drop_own_path()
        import runpy

        runpy.run_path(path, run_name="__main__")
        return
    session.script_folder = folder
    _set_first_path(folder)
    code = _compile(path, _read(path) if source is None else source)
    vars(main).update(__file__=os.path.abspath(path), __cached__=None, __doc__=None)
    exec(code, vars(main))  # noqa: S102


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        message = f"The script {path} cannot be read: {error.strerror}."
        raise ScriptMissing(message, "Give the path of an existing script.") from None


def _compile(path: str, source: bytes) -> Any:
    if b"\0" in source:
        raise ScriptMissing(f"{path} is not a Python script: it is a binary file.", "Name a Python script.")
    return compile(source, os.path.abspath(path), "exec", dont_inherit=True)


def _run_module(module: str, args: list[str], session: CaptureSession, agreed: AgreedFiles) -> None:
    folder = str(session.params.get("folder") or os.getcwd())
    session.script_folder = os.path.realpath(folder)
    sys.argv[:] = ["-m", *args]
    _set_first_path(session.script_folder)
    import importlib.util
    import runpy

    top = module.partition(".")[0]
    if importlib.util.find_spec(top) is None:
        raise ModuleNotFoundError(f"No module named {top!r}", name=top)
    if agreed.contents:
        agreed.require(_file_of(module))
    runpy._run_module_as_main(module)  # type: ignore[attr-defined]


def _file_of(module: str) -> str:
    """The file that `python -m module` runs; the packages around it are imported, as Python does."""
    import importlib.util

    spec = importlib.util.find_spec(module)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(f"{module}.__main__")
    return str(spec.origin) if spec is not None else module


def _set_first_path(folder: str) -> None:
    """Replace our own folder, which Python put first on sys.path; with -P or -I there is none, and nothing is added."""
    if _drop_own_path():
        sys.path.insert(0, folder)


def _drop_own_path() -> bool:
    own = os.path.dirname(os.path.realpath(__file__))
    if sys.path and os.path.realpath(sys.path[0]) == own:
        del sys.path[0]
        return True
    return False


def _end(session: CaptureSession, error: BaseException | None) -> int:
    frames = _frames_of(error)
    session.attention = False
    if error is None:
        session.outcome, code = succeeded(), 0
    else:
        code = end_by_error(session, error)
    # Other threads of the script may still run: then its models are saved when they have ended.
    if not _has_other_threads():
        session.save_last_checkpoint(frames)
    return code


def _end_of_child(error: BaseException) -> int:
    """A child that the script forked returns here as well: it exits as it would have without us."""
    if isinstance(error, SystemExit):
        raise error
    sys.excepthook(type(error), error, error.__traceback__)
    return 1


def _frames_of(error: BaseException | None) -> list[Any]:
    """The frames of the traceback, innermost first: their variables hold the models."""
    frames, tb = [], error.__traceback__ if error is not None else None
    while tb is not None:
        frames.append(tb.tb_frame)
        tb = tb.tb_next
    return frames[::-1]


def _has_other_threads() -> bool:
    main = threading.main_thread()
    return any(thread is not main and not thread.daemon for thread in threading.enumerate())


def _show_output_at_once() -> None:
    """Lines reach the log as they are printed; a crash in native code writes its traceback there."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True)
    if not faulthandler.is_enabled() and sys.stderr is not None:
        faulthandler.enable()
