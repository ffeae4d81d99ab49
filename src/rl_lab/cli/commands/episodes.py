"""`rl-lab episodes` and `rl-lab replay`: lists the episodes of a run, and shows one of them step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import MAX_PAGE, RunArgument, find_run_id
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import AsJson, number, print_json, print_table
from rl_lab.cli.output_files import place_of, require_new_file, save_new
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

CHOICES = {"best": "-reward", "worst": "reward", "latest": "-episode", "first": "episode"}


def register(app: typer.Typer) -> None:
    app.command()(episodes)
    app.command()(replay)


def episodes(
    run: RunArgument,
    *,
    sort: Annotated[
        str, typer.Option(help="Sort by episode, reward or length; a leading - reverses the order.")
    ] = "-episode",
    best: Annotated[
        bool, typer.Option("--best", help="Highest return first, only episodes that can be replayed.")
    ] = False,
    recorded: Annotated[bool, typer.Option("--recorded", help="Only episodes that can be replayed.")] = False,
    min_reward: Annotated[float | None, typer.Option(help="Minimum return.", show_default=False)] = None,
    max_reward: Annotated[float | None, typer.Option(help="Maximum return.", show_default=False)] = None,
    ending: Annotated[
        str | None,
        typer.Option(help="Only episodes with this ending: terminated or truncated.", show_default=False),
    ] = None,
    evaluation: Annotated[
        bool, typer.Option("--evaluation", help="Of the evaluation environments of a captured script.")
    ] = False,
    noted: Annotated[bool, typer.Option("--noted", help="Only episodes with a note.")] = False,
    histogram: Annotated[
        bool, typer.Option("--histogram", help="How the returns are distributed, instead of the list.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=MAX_PAGE, help="Maximum number of episodes.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the episodes of a run, newest first."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, run)
        wanted = {
            "min_reward": min_reward,
            "max_reward": max_reward,
            "ending": ending,
            "recorded": (best or recorded) or None,
            "role": "evaluation" if evaluation else None,
        }
        if histogram:
            found = client.get(f"/api/runs/{run_id}/episodes/histogram", **wanted)
            print_json(found) if as_json else _print_histogram(found)
            return
        order = CHOICES["best"] if best else sort
        page = client.get(f"/api/runs/{run_id}/episodes", sort=order, limit=limit, noted=noted, **wanted)
    if as_json:
        print_json(page)
        return
    print_table(("EPISODE", "RETURN", "LENGTH", "ENDED", "STEP", "REPLAY", "NOTE"), map(_row, page["items"]))
    if page["total"] > len(page["items"]):
        print(f"{len(page['items'])} of {page['total']:,} episodes; --limit shows more.")


BAR_CHARACTERS = 40


def _print_histogram(found: dict[str, Any]) -> None:
    most = max((bar["episodes"] for bar in found["bars"]), default=0)
    rows = (
        (
            f"{number(bar['start'])} to {number(bar['end'])}",
            f"{bar['episodes']:,}",
            "█" * round(BAR_CHARACTERS * bar["episodes"] / most) if most else "",
        )
        for bar in found["bars"]
    )
    print_table(("RETURN", "EPISODES", ""), rows)
    if found["without_return"]:
        print(f"The return of {found['without_return']:,} more episodes is not known.")


def _row(episode: dict[str, Any]) -> tuple[str, ...]:
    return (
        episode_name(episode),
        number(episode["reward"]),
        _short(episode["length"]),
        ending_of(episode),
        number(episode["timestep"], 0),
        "yes" if episode["recorded"] else "no",
        _first_line(episode["note"] or ""),
    )


NOTE_CHARACTERS = 40


def _first_line(note: str) -> str:
    line = note.partition("\n")[0]
    return line if line == note and len(line) <= NOTE_CHARACTERS else line[: NOTE_CHARACTERS - 1] + "…"


def episode_name(episode: dict[str, Any]) -> str:
    """ "41"; "e3" for the fourth evaluation episode of a captured script."""
    return f"{'e' if episode['role'] == 'evaluation' else ''}{episode['number']}"


def ending_of(episode: dict[str, Any]) -> str:
    return "terminated" if episode["terminated"] else "truncated" if episode["truncated"] else "–"


def replay(
    run: RunArgument,
    episode: Annotated[
        str,
        typer.Argument(
            metavar="[EPISODE]", help="Episode number (e3: of an evaluation), or best, worst, first, latest."
        ),
    ] = "latest",
    *,
    steps: Annotated[bool, typer.Option("--steps", help="Print every step.")] = False,
    mp4: Annotated[
        Path | None,
        typer.Option(
            "--mp4",
            metavar="FILE",
            help="Save the episode as a video: a new file, or a folder.",
            show_default=False,
        ),
    ] = None,
    gif: Annotated[
        Path | None,
        typer.Option(
            "--gif", metavar="FILE", help="Save the episode as an animated picture.", show_default=False
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the episode in the browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay one recorded episode."""
    from rl_lab.cli.connection import is_served, open_lab

    wanted = {form: path for form, path in (("mp4", mp4), ("gif", gif)) if path is not None}
    for form, path in wanted.items():
        require_new_file(path, f".{form}")
    with open_lab() as client:
        run_id = find_run_id(client, run)
        found = find_episode(client, run_id, episode)
        address = f"/api/runs/{run_id}/episodes/{found['episode']}"
        listed = client.get(f"{address}/steps") if steps or as_json else None
        what = f"{episode} episode" if episode in CHOICES else f"episode {episode}"
        saved: dict[str, str | None] = {"mp4": None, "gif": None}
        for form, path in wanted.items():
            target = place_of(client, run_id, path, what, f".{form}")
            with open_job_bar("Filming the episode", quiet=as_json):
                video = client.post(f"{address}/video", format=form)
            save_new(client, video["id"], target)
            saved[form] = str(target)
        page = f"{client.url}/runs/{run_id}?tab=episodes&episode={found['episode']}"
    shown = page if is_served() else None
    if open_ and shown:
        _browse(shown)
    if as_json:
        print_json({**found, **(listed or {}), "page": shown, **saved})
        return
    _print_episode(found, shown)
    if listed is not None:
        print_steps(listed)
    for target_name in filter(None, saved.values()):
        print(f"Video: {target_name}")


def find_episode(client: LabClient, run_id: str, wanted: str) -> dict[str, Any]:
    """The episode with this number, or the best, worst, first or latest recorded one."""
    if wanted in CHOICES:
        page = client.get(f"/api/runs/{run_id}/episodes", sort=CHOICES[wanted], limit=1, recorded=True)
        if not page["items"]:
            raise NotFound(
                "No episode of this run is recorded.",
                next_step="The event log shows what could not be captured; with --no-record nothing is recorded.",
            )
        found: dict[str, Any] = page["items"][0]
        return found
    if wanted[:1] in ("e", "E") and wanted[1:].isdecimal():
        from rl_lab.core.script_environments import FIRST_EVALUATION

        wanted = str(FIRST_EVALUATION + int(wanted[1:]))
    if not wanted.isdecimal():
        raise InvalidInput.of_field(
            "episode", f"“{wanted}” is not an episode number.", ["a number", *CHOICES]
        )
    one: dict[str, Any] = client.get(f"/api/runs/{run_id}/episodes/{wanted}")
    return one


def _print_episode(episode: dict[str, Any], page: str | None) -> None:
    seed = "" if episode["seed"] is None else f", seed {episode['seed']}"
    print(
        f"Episode {episode_name(episode)}: return {number(episode['reward'])} in {plural(episode['length'], 'step')}, "
        f"{ending_of(episode)}, at step {number(episode['timestep'], 0)} of the run{seed}."
    )
    if episode["recorded"]:
        print(
            f"Page: {page}"
            if page
            else "To see it, start the page with `rl-lab serve`, or save it with --mp4 or --gif."
        )
    else:
        print(
            "Its recording was not kept, so it cannot be replayed; "
            "`rl-lab episodes --recorded` lists the episodes that can."
        )


def print_steps(listed: dict[str, Any]) -> None:
    terms = list(dict.fromkeys(name for row in listed["steps"] for name in row.get("own_terms", {})))
    has_own = any("own_reward" in row for row in listed["steps"])
    own = ("OWN REWARD", "OWN RETURN", *terms) if has_own else ()
    print_table(
        ("STEP", "ACTION", "REWARD", "RETURN", *own, "VALUE", "CHOSEN", "OBSERVATION"),
        [
            (
                str(row["step"]),
                _short(row["action"]),
                number(row["reward"], 3),
                number(row["return"], 3),
                *(_own_numbers(row, terms) if has_own else ()),
                number(row.get("value"), 2),
                number(row.get("chosen_probability"), 2),
                _short(row["observation"]),
            )
            for row in listed["steps"]
        ],
    )
    for note in filter(None, (listed["note"], listed.get("own_note"))):
        print(f"Note: {note}")


def _own_numbers(row: dict[str, Any], terms: list[str]) -> list[str]:
    """Under the reward that the run learned from."""
    found = [row.get("own_reward"), row.get("own_return"), *(row.get("own_terms", {}).get(t) for t in terms)]
    return [number(one, 3) for one in found]


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, list):
        return f"[{', '.join(map(_short, value))}]"
    return "–" if value is None else str(value)


def _browse(page: str) -> None:
    import webbrowser

    webbrowser.open(page)
