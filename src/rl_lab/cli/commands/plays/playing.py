"""`rl-lab play`: starts a play for the page, plays actions of a file, or lets a policy play in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.policy_argument import find_policy
from rl_lab.cli.commands.plays.starts import find_start
from rl_lab.cli.completion import complete_dataset, complete_policy, complete_run
from rl_lab.cli.output import AsJson, interval, number, print_json, print_table
from rl_lab.cli.play_socket import PlaySocket, open_play, require_played
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.plays.modes import Mode
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    *,
    env: Annotated[
        str | None,
        typer.Argument(
            metavar="ENV", help="Environment (default: that of --agent or --from).", show_default=False
        ),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(help="Who acts: you, a policy until you hold a key, or a policy.", show_default=False),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="RUN[@CHECKPOINT]|MODEL[@LABEL]",
            help="The policy that acts in modes hybrid and agent.",
            show_default=False,
            autocompletion=complete_policy,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of the first episode (default: drawn).", show_default=False)
    ] = None,
    taken_from: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="RUN",
            help="Take over an episode of this run, with --episode and --step.",
            show_default=False,
            autocompletion=complete_run,
        ),
    ] = None,
    from_dataset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[@vN]",
            help="Take over an episode of this dataset, with --episode and --step.",
            show_default=False,
            autocompletion=complete_dataset,
        ),
    ] = None,
    episode: Annotated[
        str | None,
        typer.Option(
            help="Its number, or best, worst; of a run also first, latest. With --from or --from-dataset.",
            show_default="best",
        ),
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(
            min=0, help="The step to take over at. With --from or --from-dataset.", show_default="0"
        ),
    ] = None,
    actions: Annotated[
        Path | None,
        typer.Option(
            help="Play these actions without a page: one per line, as JSON. The play ends after the last one.",
            show_default=False,
        ),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000,
            help="Let the policy play so many episodes in the terminal.",
            show_default=False,
        ),
    ] = None,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="The policy samples its actions.")] = False,
    name: Annotated[str, typer.Option(help="Name of the play.", show_default=False)] = "",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address only.")] = False,
    as_json: AsJson = False,
) -> int:
    """Play in an environment: by hand on the page, with a policy, or with the actions of a file."""
    from rl_lab.cli.connection import open_lab

    _require_one_way(actions, episodes, agent)
    given = _read_actions(actions) if actions is not None else None
    with open_lab() as client:
        wanted = {
            "env_id": env,
            "seed": seed,
            "mode": mode or ("agent" if episodes else "hybrid" if agent and given is None else "human"),
            "deterministic": not stochastic,
            "start": find_start(client, taken_from, from_dataset, episode, step),
            "name": name,
            **_find_agent(client, agent),
        }
        if given is None and episodes is None:
            _require_page()
            return _open_page(client, client.post("/api/plays", wanted), no_browser, as_json)
        run = client.post("/api/plays", wanted)
        with open_play(client, run["id"]) as socket:
            try:
                if given is not None:
                    _play_actions(socket, given)
                else:
                    _let_play(socket, episodes or 1, as_json=as_json)
            finally:
                socket.end()
        ended = _wait_for_end(client, run["id"])
    print_json(ended) if as_json else print_result(ended)
    return 0 if ended["status"] == "succeeded" else 1


def _require_one_way(actions: Path | None, episodes: int | None, agent: str | None) -> None:
    if actions is not None and episodes is not None:
        raise InvalidInput.of_field("episodes", "Give --actions or --episodes, not both.")
    if episodes is not None and agent is None:
        raise InvalidInput.of_field("agent", "Name the policy that plays: --agent RUN.")


def _read_actions(path: Path) -> list[Any]:
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput.of_field("actions", f"The file cannot be read: {error}.") from None
    found = []
    for count, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except ValueError:
            raise InvalidInput.of_field(
                "actions", f"Line {count} is not JSON: {line[:60]}", "a number, or a list of numbers"
            ) from None
    if not found:
        raise InvalidInput.of_field("actions", "The file has no action.")
    return found


def _find_agent(client: LabClient, agent: str | None) -> dict[str, Any]:
    if agent is None:
        return {}
    found = find_policy(client, agent)
    return {"policy_run_id": found.run_id, "checkpoint": found.checkpoint}


def _require_page() -> None:
    from rl_lab.cli.connection import is_served

    if not is_served():
        raise NotReady(
            "There is no page to play on: no lab is running.",
            next_step="Start one with `rl-lab serve`. Without a page: --actions FILE, or --agent RUN --episodes N.",
        )


def _open_page(client: LabClient, run: dict[str, Any], no_browser: bool, as_json: bool) -> int:
    import webbrowser

    from rl_lab.cli.commands.serve import has_display, new_ticket, sign_in_link

    page = f"{client.url}/play/{run['id']}"
    if as_json:
        print_json({**run, "page": page})
    else:
        print(f"Play: {page}")
    if not no_browser and has_display():
        webbrowser.open(sign_in_link(page, new_ticket(client)))
    return 0


def _play_actions(socket: PlaySocket, actions: list[Any]) -> None:
    for count, action in enumerate(actions, 1):
        header = socket.tell("act", action=action)
        require_played(header, action, count)
        if header["ended"] and count < len(actions):
            left = len(actions) - count
            print(f"The episode ended after {header['step']:,} steps; {left:,} actions were not played.")
            return


def _let_play(socket: PlaySocket, episodes: int, *, as_json: bool) -> None:
    """Step by step, as fast as it goes."""
    header = socket.tell("pause")
    while header["loading"]:
        header = socket.next()
    if header["problem"]:
        raise InvalidInput(header["problem"]["message"], next_step=header["problem"]["next_step"])
    for count in range(episodes):
        if count:
            socket.tell("next")
        socket.tell("pause")
        while not (header := socket.tell("step"))["ended"]:
            pass
        if not as_json:
            print(f"episode {count + 1}: return {header['return']:+.1f} in {header['step']:,} steps")


def _wait_for_end(client: LabClient, run_id: str) -> dict[str, Any]:
    for name, _ in client.stream(f"/api/runs/{run_id}/stream"):
        if name == "end":
            break
    ended: dict[str, Any] = client.get(f"/api/runs/{run_id}")
    return ended


def play_text(config: dict[str, Any], result: dict[str, Any] | None) -> str:
    """ "CartPole-v1, seed 3, human: 2 of 3 episodes finished, mean return 41.0, 120 of 120 steps by a person" """
    what = f"{config['env_id']}, seed {config['seed']}, {config['mode']}"
    if config["start"]:
        what += f", from step {config['start']['step']:,} of episode {config['start']['episode']:,}"
    if not result:
        return what
    return (
        f"{what}: {result['finished']} of {plural(result['episodes'], 'episode')} finished, "
        f"mean return {number(result['return_mean'])}, {result['by_person']:,} of {result['steps']:,} steps by a person"
    )


def print_result(run: dict[str, Any]) -> None:
    result = run["summary"].get("result") or {}
    steps, by_person = result.get("steps", 0), result.get("by_person", 0)
    rows = [
        ("episodes", f"{result.get('episodes', 0):,}, {result.get('finished', 0):,} finished"),
        ("steps", f"{steps:,}, {by_person:,} by a person"),
        *(_figures(result) if result.get("finished") else ()),
    ]
    print_table(("PLAY", run["id"]), rows)
    print(f"Its episodes: rl-lab episodes {run['id']}")
    if result.get("finished"):
        print(f"Measured by a protocol or your code: rl-lab evaluate {run['id']}")


def _figures(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Of the finished episodes."""
    return [
        ("return", f"{number(result['return_mean'])} ± {number(result['return_std'])}"),
        ("interval of the mean", interval(result["return_ci"], result["return_ci_level"])),
        ("best return", number(result["best_return"])),
        ("length", number(result["length_mean"])),
        ("ended", f"{result['terminated']} terminated, {result['truncated']} truncated"),
    ]
