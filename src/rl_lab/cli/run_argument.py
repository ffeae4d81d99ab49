"""The RUN argument of many commands: an id, its first characters, or `latest`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

ID_LENGTH = 12
MAX_PAGE = 200


def _complete_run(incomplete: str) -> list[str]:
    """Run ids for shell completion; only from a running lab, because starting one takes too long for that."""
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
    """The run id for the argument: a full id, a unique prefix of one, or `latest` for the newest training."""
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
        raise NotFound(f"No run id starts with “{wanted}”.", next_step="`rl-lab runs` lists the runs.")
    raise InvalidInput.of_field(
        "run", f"“{wanted}” matches {len(found)} runs.", [f"{run['id']} ({run['name']})" for run in found[:5]]
    )


def _starting_with(client: LabClient, prefix: str) -> list[Any]:
    found: list[Any] = []
    for archived in (False, True):
        page = client.get("/api/runs", q=prefix, kind="all", limit=MAX_PAGE, archived=archived)
        found += [run for run in page["items"] if run["id"].startswith(prefix)]
    return found
