"""The command itself: global options, the list of commands, errors as sentences, exit codes.

Commands import what they need inside, so that `--help` and completion answer at once.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rl_lab.cli.commands import (
    adoptions,
    artifacts,
    doctor,
    duels,
    episodes,
    evaluations,
    exports,
    films,
    forks,
    insights,
    logs,
    previews,
    runners,
    runs,
    scripts,
    serve,
    space,
    tensorboards,
    train,
    worker_check,
)
from rl_lab.cli.commands import environments as catalogue
from rl_lab.cli.output import complain
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
for module in (
    serve, train, scripts, runs, evaluations, episodes, films, forks, duels, insights, exports, adoptions, logs,
    tensorboards, catalogue, runners, previews, doctor, artifacts, space, worker_check,
):  # fmt: skip
    module.register(app)


@app.callback()
def root(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(
            envvar="RL_LAB_HOME",
            help="Folder that holds token, database and runs [~/.rl-lab].",
            show_default=False,
        ),
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    """RL Lab: train, watch, replay, evaluate and compare reinforcement-learning agents."""
    if home is not None:
        os.environ["RL_LAB_HOME"] = str(home)
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"rl-lab {installed('rl-lab')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.invoke(serve.serve)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command and ends the process with the right code."""
    # Modules make much that lives for ever; looking for garbage among it takes a quarter of a short command's time.
    gc.disable()
    code = run(sys.argv[1:] if arguments is None else arguments)
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    try:
        result: Any = app(arguments, prog_name="rl-lab", standalone_mode=False)
    except LabError as error:
        complain(error.problem())
        return WRONG_USE if error.status == 422 else FAILED
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output left (`rl-lab runs | head`): not a fault.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        return 0
    except Exception as error:
        return _wrong_use(error)
    return result if isinstance(result, int) else 0


def _wrong_use(error: Exception) -> int:
    """Click's own complaints (unknown option, bad value) in its words; anything else is our fault and is raised."""
    show, code = getattr(error, "show", None), getattr(error, "exit_code", None)
    if show is None or code is None:
        raise error
    show()
    return int(code)


if __name__ == "__main__":
    main()
