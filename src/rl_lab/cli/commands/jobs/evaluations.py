"""`rl-lab evaluate`: plays episodes with a checkpoint, or measures those of a play; prints the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rl_lab.cli.arguments.checkpoint_argument import CheckpointOption
from rl_lab.cli.arguments.code_argument import find_saved
from rl_lab.cli.arguments.evaluation_code_argument import EvaluationCodeOption
from rl_lab.cli.arguments.play_argument import find_play
from rl_lab.cli.arguments.policy_argument import PolicyArgument, find_policy
from rl_lab.cli.evaluation_check import show_evaluation_check
from rl_lab.cli.jobs import (
    file_of,
    print_failure,
    result_of,
    wait_for_job,
    wait_until_started,
)
from rl_lab.cli.output import AsJson, interval, number, print_json, print_table
from rl_lab.cli.output_files import ForceOption, OutputOption, require_result_file, save_result
from rl_lab.cli.terminal import print
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FAILED = 1


def register(app: typer.Typer) -> None:
    app.command()(evaluate)


def evaluate(
    *,
    run: PolicyArgument,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes",
            "-e",
            min=1,
            max=100,
            help="How many episodes (default: 5, or one per seed). Of a play the newest (default: all).",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(
            min=0,
            help="Seed of an episode; repeatable (default: drawn from the run's). Not for a play.",
            show_default=False,
        ),
    ] = None,
    fresh_seeds: Annotated[
        bool,
        typer.Option("--fresh-seeds", help="Draw new seeds instead of those of the run. Not for a play."),
    ] = False,
    stochastic: Annotated[
        bool, typer.Option("--stochastic", help="Sample actions as in training. Not for a play.")
    ] = False,
    checkpoint: CheckpointOption = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[@vN]",
            help="Measure as this protocol says: it decides about episodes, seeds, actions and code.",
            show_default=False,
        ),
    ] = None,
    code: EvaluationCodeOption = None,
    video_episodes: Annotated[
        Literal["median", "best", "all"], typer.Option("--video", help="Which episodes the video shows.")
    ] = "median",
    no_video: Annotated[bool, typer.Option("--no-video", help="Make no video.")] = False,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> int:
    """Play episodes with a checkpoint or a named model; Ctrl-C stops waiting, the evaluation continues.

    Of a play its recorded episodes are simulated again and measured, on the seeds that were played; nobody plays again.
    """
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    require_result_file(output, force)
    with open_lab() as client:
        play = find_play(client, run)
        run_id, chosen = (play, checkpoint) if play is not None else find_policy(client, run, checkpoint)
        chosen_code = find_saved(client, CodeKind.evaluation, code, quiet=as_json)
        asked = {
            "episodes": episodes,
            "seeds": seed or None,
            "fresh_seeds": fresh_seeds or None,
            "deterministic": False if stochastic else None,
            "protocol": protocol,
            "code": chosen_code,
        }
        wanted: dict[str, Any] = {
            "record": not no_video,
            "video_episodes": video_episodes,
            "checkpoint": chosen,
            # What a protocol decides is sent only if it was asked for.
            **{name: value for name, value in asked.items() if value is not None},
        }
        if not as_json:
            show_evaluation_check(client, run_id, chosen_code, protocol)
        job = client.post(f"/api/runs/{run_id}/evaluations", wanted)
        ended = wait_for_job(client, job, progress_label(job), quiet=as_json)
        if output is not None and ended["status"] == "succeeded":
            output = save_result(client, ended, output, force)
    exit_code = report(ended, as_json)
    if output is not None and exit_code == 0 and not as_json:
        print(f"Written: {output}")
    return exit_code


def progress_label(job: dict[str, Any]) -> str:
    config = job["config"]
    what = "episode" if config.get("recorded") is None else "recorded episode"
    return f"Evaluating {plural(config['episodes'], what)}"


def report(job: dict[str, Any], as_json: bool) -> int:
    """Prints an ended evaluation; returns the exit code."""
    result = result_of(job)
    if as_json:
        print_json(job)
    elif "return_mean" not in result:
        return print_failure(job)
    else:
        print_summary(job, result)
    is_complete = job["status"] == "succeeded" and not result.get("code_problem")
    return 0 if is_complete else FAILED


def print_summary(job: dict[str, Any], result: dict[str, Any]) -> None:
    rows = [
        ("episodes", f"{result['episodes']} of {job['config']['episodes']}"),
        ("return", f"{number(result['return_mean'])} ± {number(result['return_std'])}"),
        ("interval of the mean", interval(result["return_ci"], result["return_ci_level"])),
        ("least, median, most", " · ".join(number(result[f"return_{n}"]) for n in ("min", "median", "max"))),
        ("length", number(result["length_mean"])),
        ("ended", f"{result['terminated']} terminated, {result['truncated']} truncated"),
    ]
    if result["success_threshold"] is not None:
        share = (
            f"{result['successes']} of {result['episodes']} (return ≥ {number(result['success_threshold'])})"
        )
        rows.append(("success", share))
    if result.get("own_return_mean") is not None:
        own = f"{number(result['own_return_mean'])} ± {number(result['own_return_std'])}"
        rows.append((f"return under {result['own_reward']}", own))
    rows += number_rows(result)
    if result.get("verdict"):
        rows.append(("verdict", result["verdict"]["sentence"]))
    if result.get("protocol"):
        rows.append(("protocol", result["protocol"]["text"].removeprefix("protocol ")))
    rows.append(_played_by(result))
    if result.get("video_episodes"):
        rows.append(("video of", describe_video(result, job["config"].get("video_episodes", "all"))))
    print_table(("EVALUATION", job["status"]), rows)
    problem = [result["code_problem"]["message"]] if result.get("code_problem") else []
    for note in [*result.get("notes", ()), *problem, *filter(None, [result.get("own_problem")])]:
        print(f"! {note}")
    if result["video"]:
        name = result["video"].rpartition("/")[2]
        next_to_model = file_of(job["parent_id"], name)
        print(f"Video: {next_to_model if name == 'video.mp4' else next_to_model.parent / 'eval' / name}")
    elif result["video_problem"]:
        print(f"No video: {result['video_problem']}")


def number_rows(result: dict[str, Any]) -> list[tuple[str, str]]:
    """What the evaluation code measured: mean, deviation and interval of each number."""
    return [
        (
            name,
            f"{one['mean']:.4g} ± {one['std']:.4g}, interval {interval(one['ci'], one['ci_level'], digits=3)}",
        )
        for name, one in result.get("numbers", {}).items()
    ]


def _played_by(result: dict[str, Any]) -> tuple[str, str]:
    played = result.get("played")
    if played is None:
        return "checkpoint", f"step {number(result['checkpoint_timestep'], 0)}{_role_text(result)}"
    share = f"{played['by_person']:,} of {played['steps']:,} steps by a person"
    return "recorded", f"the episodes of a play, as they were played; {share}"


def _role_text(result: dict[str, Any]) -> str:
    """ " (best by training return)", " (final)" """
    if result.get("checkpoint_best_by"):
        return f" (best by {result['checkpoint_best_by']})"
    return f" ({result['checkpoint_role']})" if result.get("checkpoint_role") else ""


def describe_video(result: dict[str, Any], wanted: str) -> str:
    """Which episodes the video shows, as a user counts them."""
    shown = result["video_episodes"]
    if len(shown) == result["episodes"]:
        return "all episodes"
    [episode] = shown
    return f"episode {episode + 1}, return {number(result['returns'][episode])} ({wanted})"


def evaluate_after_training(
    client: LabClient, run: dict[str, Any], *, wait: bool, quiet: bool
) -> dict[str, Any] | None:
    """Waits for the evaluation after a training, or only until its process has started.

    None when there is none. Ctrl-C stops waiting.
    """
    try:
        job_id = _follower(client, run["id"])
        if job_id is None:
            return None
        if not wait:
            return wait_until_started(client, client.get(f"/api/runs/{job_id}"))
        job = client.get(f"/api/runs/{job_id}")
        return wait_for_job(client, job, progress_label(job), quiet=quiet)
    except KeyboardInterrupt:
        return None


def _follower(client: LabClient, run_id: str) -> str | None:
    """The evaluation starts just after the end; the event log has its run, or why there is none."""
    for _, event in client.stream(f"/api/runs/{run_id}/events", last_id=0):
        if event["type"] == "evaluation_started":
            return str(event["data"]["run_id"])
        if event["type"] == "follow_up_failed":
            return None
    return None
