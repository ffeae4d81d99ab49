"""The `rl-lab` program: global options, the list of commands, error output, exit codes.

Commands import what they need inside their functions, so that `--help` and completion respond immediately.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rl_lab.cli import commands
from rl_lab.cli.commands.serve import open_page, serve
from rl_lab.cli.output import print_error
from rl_lab.cli.terminal import clean_tracebacks, print
from rl_lab.core.errors import LabError

FAILED, WRONG_USE, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    name="rl-lab",
    help="RL Lab: train, watch, replay, evaluate and compare reinforcement-learning agents.",
    no_args_is_help=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
FIRST_MODULES = (
    "serve",
    "sign_in",
    "sessions",
    "train",
    "experiments",
    "scripts",
    "runs",
    "jobs",
    "experiments",
    "episodes",
    "insights",
    "adoptions",
    "logs",
    "tensorboards",
    "environments",
    "runners",
    "previews",
    "doctor",
    "artifacts",
    "space",
    "worker_check",
)
"""The order of `rl-lab --help`; other modules of `commands` follow."""


def register_commands() -> None:
    """Every module of `commands` has a function `register`."""
    found = [module.name for module in pkgutil.iter_modules(commands.__path__)]
    order = {name: number for number, name in enumerate(FIRST_MODULES)}
    for name in sorted(found, key=lambda name: (order.get(name, len(order)), name)):
        importlib.import_module(f"{commands.__name__}.{name}").register(app)


register_commands()


@app.callback()
def root(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(
            envvar="RL_LAB_HOME",
            help="Folder for the token, the database and the runs [~/.rl-lab].",
            show_default=False,
        ),
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> Any:
    """RL Lab: train, watch, replay, evaluate and compare reinforcement-learning agents."""
    if home is not None:
        os.environ["RL_LAB_HOME"] = str(home)
    if version:
        from importlib.metadata import version as installed

        print(f"rl-lab {installed('rl-lab')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        return 0 if open_page() else context.invoke(serve)
    return None


def main(arguments: list[str] | None = None) -> None:
    """Runs the command and exits with its exit code."""
    # Imports create many long-lived objects; garbage collection among them takes a quarter of a short command's time.
    gc.disable()
    clean_tracebacks()
    code = run(sys.argv[1:] if arguments is None else arguments)
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    try:
        result: Any = app(arguments, prog_name="rl-lab", standalone_mode=False)
    except LabError as error:
        print_error(error.problem())
        return WRONG_USE if error.status == 422 else FAILED
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output exited (`rl-lab runs | head`); this is not an error.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        return 0
    except Exception as error:
        return _wrong_use(error)
    return result if isinstance(result, int) else 0


def _wrong_use(error: Exception) -> int:
    """Prints click's usage errors (unknown option, bad value) like ours; any other exception is a bug and is raised."""
    describe, code = getattr(error, "format_message", None), getattr(error, "exit_code", None)
    if describe is None or code is None:
        raise error
    message = str(describe()).rstrip(".").replace(": Value error, ", ": ")
    path = getattr(getattr(error, "ctx", None), "command_path", "rl-lab")
    what = "the commands" if path == "rl-lab" else "its options"
    print(f"Error: {message}{'' if message.endswith('?') else '.'}", file=sys.stderr)
    print(f"Next: `{path} --help` lists {what}.", file=sys.stderr)
    return int(code)


if __name__ == "__main__":
    main()
