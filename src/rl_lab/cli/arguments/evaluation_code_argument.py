"""`--code FILE|NAME[@vN]`: evaluation code on the command line. A file is checked and saved first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.code_argument import (
    find_code,
    get_version,
    is_file,
    name_of,
    read_code,
    save_code,
    saved_sentence,
)
from rl_lab.cli.completion import complete_code
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

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


def find_evaluation_code(client: LabClient, written: str | None, *, quiet: bool) -> dict[str, Any] | None:
    """The choice as the lab takes it, with exact contents."""
    if written is None:
        return None
    from rl_lab.core.workbench.codes import CodeKind

    kind = CodeKind.evaluation
    if is_file(written):
        name, source = name_of(Path(written)), read_code(Path(written), kind)
        known = find_code(client, kind, name)
        saved = save_code(client, kind, {"name": name, "source": source})
        if not quiet:
            print(saved_sentence(written, saved, known), file=sys.stderr)
    else:
        saved = get_version(client, kind, written)
    return {name: saved[name] for name in ("name", "version", "sha256")}
