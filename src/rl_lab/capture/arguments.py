"""The arguments of a script: the results of argparse and tyro, when its own code calls them."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.models import is_own_frame

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession


def tap_argparse(module: ModuleType, session: CaptureSession) -> None:
    """Libraries use parsers too (pytest, jupyter, launchers): only calls of the script's own code count."""
    parser = module.ArgumentParser
    for name in ("parse_args", "parse_known_args"):
        setattr(parser, name, _tapped_parser(getattr(parser, name), session))


def tap_tyro(module: ModuleType, session: CaptureSession) -> None:
    module.cli = _tapped_parser(module.cli, session)  # type: ignore[attr-defined]


def _tapped_parser(parse: Any, session: CaptureSession) -> Any:
    @functools.wraps(parse)
    def parse_and_report(*args: Any, **kwargs: Any) -> Any:
        result = parse(*args, **kwargs)
        if session.is_main_process and is_own_frame(sys._getframe(1), session.script_folder):
            known = result[0] if isinstance(result, tuple) and result else result
            session.report_arguments(known)
        return result

    return parse_and_report
