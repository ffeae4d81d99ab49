"""What a script was told to do: the results of argparse and tyro, when its own code asks for them."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.models import is_own_frame

if TYPE_CHECKING:
    from rl_lab.capture.session import Session


def tap_argparse(module: ModuleType, session: Session) -> None:
    """Libraries have parsers too (pytest, jupyter, launchers): only those that the script calls count."""
    parser = module.ArgumentParser
    for name in ("parse_args", "parse_known_args"):
        setattr(parser, name, _learning(getattr(parser, name), session))


def tap_tyro(module: ModuleType, session: Session) -> None:
    module.cli = _learning(module.cli, session)  # type: ignore[attr-defined]


def _learning(parse: Any, session: Session) -> Any:
    @functools.wraps(parse)
    def parse_and_tell(*args: Any, **kwargs: Any) -> Any:
        result = parse(*args, **kwargs)
        if session.is_main_process and is_own_frame(sys._getframe(1), session.script_folder):
            known = result[0] if isinstance(result, tuple) and result else result
            session.learn_arguments(known)
        return result

    return parse_and_tell
