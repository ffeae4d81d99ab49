"""The recorded moment that `rl-lab play` takes over: an episode of a run, or of a version of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

BEST, WORST = "best", "worst"


def find_start(
    client: LabClient, run: str | None, dataset: str | None, episode: str | None, step: int | None
) -> dict[str, Any] | None:
    from rl_lab.cli.commands.episodes import find_episode

    if run is None and dataset is None:
        _require_nothing(episode, step)
        return None
    if run is not None and dataset is not None:
        raise InvalidInput.of_field("from_dataset", "Give --from or --from-dataset, not both.")
    wanted, at = BEST if episode is None else episode, step or 0
    if dataset is not None:
        return _in_dataset(client, dataset, wanted, at)
    assert run is not None
    run_id = find_run_id(client, run)
    return {"run_id": run_id, "episode": find_episode(client, run_id, wanted)["episode"], "step": at}


def _require_nothing(episode: str | None, step: int | None) -> None:
    for name, given in {"--episode": episode, "--step": step}.items():
        if given is not None:
            raise InvalidInput.of_field(
                name, "Of which run or dataset? Name it with --from or --from-dataset."
            )


def _in_dataset(client: LabClient, written: str, episode: str, step: int) -> dict[str, Any]:
    from rl_lab.cli.commands.datasets.listing import address_of
    from rl_lab.core.datasets.names import read_choice

    choice = read_choice(written)
    address = address_of(choice.name)
    version = choice.version or _newest(client, address)
    place = f"{address}/versions/{version}/episodes"
    number = int(episode) if episode.isdecimal() else _extreme(client, place, episode)
    return {"dataset": {"name": choice.name, "version": version}, "episode": number, "step": step}


def _newest(client: LabClient, address: str) -> int:
    dataset = client.get(address)
    if not dataset["versions"]:
        raise NotFound(
            f"The dataset “{dataset['name']}” has no version.",
            next_step="Make one with `rl-lab datasets make NAME RUN`, or choose another dataset.",
        )
    return int(dataset["versions"][0]["version"])


def _extreme(client: LabClient, place: str, wanted: str) -> int:
    """The best or worst episode whose seed is known: no other can be simulated again."""
    if wanted not in (BEST, WORST):
        raise InvalidInput.of_field(
            "episode", f"“{wanted}” is not an episode of a dataset.", ["a number", BEST, WORST]
        )
    order = "-return" if wanted == BEST else "return"
    found = client.get(place, sort=order, limit=1, seeded=True)["items"]
    if not found:
        raise NotFound(
            "The dataset has no episode whose seed is known, so none can be taken over.",
            next_step="Make or collect one in the lab: those keep their seeds.",
        )
    return int(found[0]["episode"])
