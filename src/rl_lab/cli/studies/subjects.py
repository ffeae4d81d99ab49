"""The RUN|STUDY arguments of commands that take many runs at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.completion import complete_run
from rl_lab.core.errors import LabError, NotFound
from rl_lab.core.run_ids import is_run_id

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

SubjectsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN|STUDY…",
        help="Runs (id, name, `latest`, `best`) and studies (id or name).",
        autocompletion=complete_run,
    ),
]


class Subjects(NamedTuple):
    runs: list[str]
    studies: list[str]
    """Both as ids."""

    def as_query(self) -> dict[str, list[str]]:
        return {"runs": self.runs, "studies": self.studies}


def find_subjects(client: LabClient, named: list[str]) -> Subjects:
    """Runs before studies, where a name fits both."""
    found = Subjects([], [])
    for name in named:
        study_id = _find_study(client, name)
        if study_id is None:
            found.runs.append(find_run_id(client, name))
        else:
            found.studies.append(study_id)
    return found


def _find_study(client: LabClient, name: str) -> str | None:
    """The id of the study with this id or exactly this name; None when it is not a study."""
    if name in ("latest", "best"):
        return None
    if is_run_id(name):
        try:
            return str(client.get(f"/api/studies/{name}")["id"])
        except LabError as error:
            if error.status == NotFound.status:
                return None
            raise
    listed = client.get("/api/studies", q=name)["items"]
    return next((str(one["id"]) for one in listed if one["name"].casefold() == name.casefold()), None)
