"""The STUDY argument: an id, its first characters, a name or `latest`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import MAX_LISTED, MAX_PAGE
from rl_lab.cli.completion import complete_study
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.run_ids import is_run_id
from rl_lab.core.words.typed_names import as_word

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

StudyArgument = Annotated[
    str,
    typer.Argument(
        metavar="STUDY",
        help="Study id or its first characters, name or `latest`.",
        autocompletion=complete_study,
    ),
]


def find_study_id(client: LabClient, wanted: str) -> str:
    """The id of the study that the user named; several that fit are listed in the error."""
    if is_run_id(wanted):
        return wanted
    known = client.get("/api/studies", limit=MAX_PAGE)["items"]
    found = known[:1] if wanted == "latest" else _fitting(known, wanted)
    if len(found) == 1:
        return str(found[0]["id"])
    if not found:
        raise NotFound(
            f"No study has an id or a name like “{wanted}”.", next_step="`rl-lab studies` lists the studies."
        )
    shown = [f"{study['id']} ({study['name']})" for study in found[:MAX_LISTED]]
    raise InvalidInput.of_field("study", f"“{wanted}” fits {len(found)} studies.", shown)


def _fitting(known: list[Any], wanted: str) -> list[Any]:
    text = wanted.casefold()
    for fits in (
        lambda study: study["id"].startswith(wanted),
        lambda study: study["name"].casefold() == text,
        lambda study: text in study["name"].casefold(),
        lambda study: as_word(study["name"]).casefold() == text,
    ):
        if chosen := [study for study in known if fits(study)]:
            return chosen
    return []
