"""Shows studies: progress of all runs in one line while they train, then a table of variants."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from rl_lab.cli.bell import ring
from rl_lab.cli.follow import FAILED, INTERRUPTED, Stopper
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import interval, number, print_json, print_table
from rl_lab.cli.studies.comparison_output import print_verdicts
from rl_lab.cli.studies.study_values import wait_for_values
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

LOOK_S = 0.25
ENDED = {"finished", "stopped", "failed"}
MEASURES = {"final": "MEAN REWARD", "best": "BEST MEAN", "area": "AREA", "evaluation": "EVALUATION"}
STOP_MESSAGES = ("Stopping the study; press Ctrl-C again to exit without waiting.",)


def see_through(
    client: LabClient, study: dict[str, Any], *, detach: bool, bell: bool | None, as_json: bool
) -> int:
    """Follows a started study as far as the user wants, and reports it."""
    interrupted = False
    if detach:
        study = wait_until_begun(client, study)
    else:
        interrupted = follow_study(client, study, quiet=as_json, bell=bell)
        if not interrupted:
            wait_for_values(client, study, quiet=as_json)
        study = client.get(f"/api/studies/{study['id']}")
    report(client, study, as_json=as_json)
    if detach:
        _warn_without_server(study)
    if interrupted:
        return INTERRUPTED
    return FAILED if study["status"] == "failed" else 0


def _warn_without_server(study: dict[str, Any]) -> None:
    """A lab that was started for commands ends with them; then nobody starts the next runs."""
    from rl_lab.cli.connection import is_served

    if study["status"] in ENDED or is_served():
        return
    print(
        "No server is running: the runs that train now continue, the next ones start when a lab runs.\n"
        "Next: `rl-lab serve` continues the study.",
        file=sys.stderr,
    )


def follow_study(client: LabClient, study: dict[str, Any], *, quiet: bool, bell: bool | None) -> bool:
    """Shows the study until it ends; returns whether the user interrupted it with Ctrl-C."""
    address = f"/api/studies/{study['id']}"
    stopper = Stopper(STOP_MESSAGES, lambda _: client.post(f"{address}/stop"))
    label = study["name"] if sys.stderr.isatty() else f"Study {study['id']}"
    with stopper, open_job_bar(label, unit="runs", quiet=quiet) as advance:
        while study["status"] not in ENDED:
            counts = study["counts"]
            advance(counts["ended"] + counts["missing"], counts["planned"])
            time.sleep(LOOK_S)
            study = client.get(address)
    interrupted = stopper.count > 0
    if not interrupted:
        ring(bell)
    return interrupted


def wait_until_begun(client: LabClient, study: dict[str, Any]) -> dict[str, Any]:
    """Until its first run has a process of its own."""
    while study["status"] == "running" and not study["counts"]["running"] and not study["counts"]["ended"]:
        time.sleep(LOOK_S)
        study = client.get(f"/api/studies/{study['id']}")
    return study


def report(client: LabClient, study: dict[str, Any], *, as_json: bool) -> None:
    """The study, its variants, and what their seeds say about them."""
    variants = client.get(f"/api/studies/{study['id']}/variants")["items"]
    comparison = _compare(client, study)
    if as_json:
        print_json({**study, "variants": variants, "comparison": comparison})
        return
    print_study(study)
    print_variants(study, variants, _statistics(study, comparison))
    if comparison is not None:
        print_verdicts(comparison)
    _advise(study, variants)


def _compare(client: LabClient, study: dict[str, Any]) -> Any:
    """None while no run has a value."""
    if not study["counts"]["ended"]:
        return None
    return client.get(f"/api/studies/{study['id']}/comparison")


def _measure_title(plan: dict[str, Any]) -> str:
    from rl_lab.core.studies.comparisons import is_of_evaluations

    protocol = plan["base"].get("evaluate_by")
    title = MEASURES.get(plan["measure"], plan["measure"].upper())
    return f"{title} ({protocol})" if protocol and is_of_evaluations(plan["measure"]) else title


def _statistics(study: dict[str, Any], comparison: Any) -> dict[int, dict[str, Any]]:
    """Of the study's measure, by the number of the variant."""
    measure = study["plan"]["measure"]
    groups = comparison["groups"] if comparison else []
    return {g["variant"]: g["statistics"][measure] for g in groups if measure in g["statistics"]}


def print_study(study: dict[str, Any]) -> None:
    """Prints the study in a few lines."""
    counts = study["counts"]
    print(f"{study['name']}  ({study['id']})")
    print(f"  status       {study['status']}{_moves(study)}")
    if study["plan"]["question"]:
        print(f"  question     {study['plan']['question']}")
    if study["reason"]:
        print(f"  reason       {study['reason']['message']}")
        if study["reason"]["next_step"]:
            print(f"  next step    {study['reason']['next_step']}")
    print(f"  runs         {_counts(counts)}")
    print(f"  seeds        {', '.join(map(str, study['plan']['seeds']))}")
    if study["tags"]:
        print(f"  tags         {', '.join(study['tags'])}")
    if study["notes"]:
        print(f"  notes        {study['notes']}")


def _counts(counts: dict[str, int]) -> str:
    """ "12 of 20 complete, 4 running, 3 waiting, 1 failed, 2 deleted" """
    words = {"running": "running", "queued": "waiting", "failed": "failed", "missing": "deleted"}
    rest = [f"{counts[name]:,} {word}" for name, word in words.items() if counts[name]]
    return ", ".join([f"{counts['succeeded']:,} of {counts['planned']:,} complete", *rest])


def print_variants(
    study: dict[str, Any], variants: list[dict[str, Any]], statistics: dict[int, dict[str, Any]]
) -> None:
    if not variants:
        print("It has no variant yet.")
        return
    best = study["best_variant"] if len(variants) > 1 else None
    print_table(
        ("#", "VARIANT", _measure_title(study["plan"]), "INTERVAL", "SEEDS", "STATUS", ""),
        [
            _variant_row(variant, statistics.get(variant["number"]), is_best=variant["number"] == best)
            for variant in variants
        ],
    )


def _variant_row(variant: dict[str, Any], found: dict[str, Any] | None, *, is_best: bool) -> tuple[str, ...]:
    """The interval is that of the mean; few seeds have none."""
    return (
        str(variant["number"]),
        variant["label"],
        number(variant["value"]),
        interval(found["mean_interval"], found["mean_level"]) if found else "–",
        f"{found['seeds'] if found else 0}/{len(variant['seeds'])}",
        variant["status"],
        "best" if is_best else variant["reason"] or "",
    )


def _advise(study: dict[str, Any], variants: list[dict[str, Any]]) -> None:
    if study["best_variant"] is not None and study["status"] in ENDED and len(variants) > 2:
        how = f"rl-lab studies confirm {study['id']}"
        print(f"The best of many is partly luck. Train it again with fresh seeds: {how}")


def _moves(study: dict[str, Any]) -> str:
    return f"  (can {', '.join(study['allowed'])})" if study["allowed"] else ""
