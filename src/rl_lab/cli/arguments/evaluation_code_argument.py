"""`--code FILE|NAME[@vN]`: evaluation code on the command line. A file is checked and saved first."""

from __future__ import annotations

from typing import Annotated

import typer

from rl_lab.cli.completion import complete_code

EvaluationCodeOption = Annotated[
    str | None,
    typer.Option(
        "--code",
        metavar="FILE|NAME[@vN]",
        help="Evaluation code: its numbers join the summary. A file is saved under its name first.",
        autocompletion=complete_code("evaluation-codes"),
        show_default=False,
    ),
]
