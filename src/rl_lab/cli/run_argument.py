"""The RUN argument that commands share: an id, the beginning of one, or `latest`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

ID_LENGTH = 12
MAX_PAGE = 200


def _complete_run(incomplete: str) -> list[str]:
    """Run ids for the shell; only from a lab that is running, since starting one takes too long for a Tab."""
    from rl_lab.cli.connection import find_lab, read_settings
    from rl_lab.core.errors import LabError

    try:
        client = find_lab(read_settings().home_path)
        if client is None:
            return []
        with client:
            ids = [run["id"] for run in client.get("/api/runs", limit=50)["items"]]
    except LabError:
        return []
    return [known for known in (*ids, "latest") if known.startswith(incomplete)]


RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="Run id, its first characters, or `latest`.", autocompletion=_complete_run
    ),
]


def find_run_id(client: LabClient, wanted: str) -> str:
    """The id a person means: whole, by its beginning when only one run has it, or `latest`, the newest training."""
    if wanted == "latest":
        newest = client.get("/api/runs", limit=1)["items"]
        if not newest:
            raise NotFound("There is no run yet.", next_step="rl-lab train CartPole-v1 --algorithm ppo")
        return str(newest[0]["id"])
    if len(wanted) == ID_LENGTH:
        return wanted
    found = _starting_with(client, wanted)
    if len(found) == 1:
        return str(found[0]["id"])
    if not found:
        raise NotFound(f"No run's id begins with “{wanted}”.", next_step="`rl-lab runs` lists them.")
    raise InvalidInput.of_field(
        "run", f"“{wanted}” fits {len(found)} runs.", [f"{run['id']} ({run['name']})" for run in found[:5]]
    )


def _starting_with(client: LabClient, beginning: str) -> list[Any]:
    found: list[Any] = []
    for archived in (False, True):
        page = client.get("/api/runs", q=beginning, kind="all", limit=MAX_PAGE, archived=archived)
        found += [run for run in page["items"] if run["id"].startswith(beginning)]
    return found
