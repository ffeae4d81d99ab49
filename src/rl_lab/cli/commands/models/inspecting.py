"""`rl-lab models inspect`, `compare` and `lineage`: what is inside checkpoints, and where runs come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from rl_lab.cli.arguments.policy_argument import PolicyArgument, find_policy, find_policy_id
from rl_lab.cli.commands.models.listing import group
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import AsJson, number, print_json, print_table
from rl_lab.cli.terminal import print

SHADES = " ░▒▓█"
BARS = "▁▂▃▄▅▆▇█"
BAR_COUNT = 21


def register(app: typer.Typer) -> None:
    """Its commands belong to the group `rl-lab models`, which `listing` adds."""


@group.command()
def inspect(
    policy: PolicyArgument,
    *,
    part: Annotated[
        Literal["weights", "activations", "gradients", "loss_surface"],
        typer.Option(
            help="weights by layer; activations of freshly played states; gradients of the algorithm's own loss; "
            "that loss around the weights."
        ),
    ] = "weights",
    as_json: AsJson = False,
) -> None:
    """Look into a checkpoint, layer by layer."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        checkpoint = find_policy_id(client, policy)
        with open_job_bar("Inspecting", quiet=as_json):
            found = client.get(f"/api/checkpoints/{checkpoint}/inspection", part=part)
    if as_json:
        print_json(found)
        return
    print(f"{found['parameters']:,} parameters, sha256 {found['sha256'][:12]}")
    PRINT[part](found)
    _print_about(found)


def _print_weights(found: dict[str, Any]) -> None:
    print_table(
        ("LAYER", "SHAPE", "NORM", "MEAN", "STD", "LOWEST", "HIGHEST", "ZEROS", "HISTOGRAM"),
        [
            (
                one["name"],
                "×".join(map(str, one["shape"])),
                *(_short(one[name]) for name in ("norm", "mean", "std", "minimum", "maximum")),
                f"{one['zeros']:.0%}",
                _bars(one["histogram"]),
            )
            for one in found["weights"]
        ],
    )


def _print_activations(found: dict[str, Any]) -> None:
    print_table(
        (
            "LAYER",
            "ACTIVATION",
            "UNITS",
            "DEAD",
            "SATURATED",
            "MEAN",
            "STD",
            "LOWEST",
            "HIGHEST",
            "HISTOGRAM",
        ),
        [
            (
                one["name"],
                one["activation"] or "–",
                number(one["units"], 0),
                f"{one['dead']:.0%}",
                "–" if one["saturated"] is None else f"{one['saturated']:.0%}",
                *(_short(one[name]) for name in ("mean", "std", "minimum", "maximum")),
                _bars(one["histogram"]),
            )
            for one in found["activations"]
        ],
    )


def _print_gradients(found: dict[str, Any]) -> None:
    print_table(
        ("LAYER", "SHAPE", "GRADIENT", "WEIGHTS", "RATIO", "LARGEST"),
        [
            (
                one["name"],
                "×".join(map(str, one["shape"])),
                *(_short(one[name]) for name in ("norm", "weight_norm", "ratio", "maximum")),
            )
            for one in found["gradients"]
        ],
    )


def _print_surface(found: dict[str, Any]) -> None:
    surface = found["loss_surface"]
    low, high = surface["minimum"], surface["maximum"]
    for row in surface["values"]:
        print("".join(_shade(value, low, high) * 2 for value in row))
    print(
        f"Loss from {_short(low)} (light) to {_short(high)} (dark); {_short(surface['centre'])} in the middle."
    )
    print(f"{len(surface['steps'])} × {len(surface['steps'])} points up to 1 filter norm away.")


PRINT = {
    "weights": _print_weights,
    "activations": _print_activations,
    "gradients": _print_gradients,
    "loss_surface": _print_surface,
}


def _print_about(found: dict[str, Any]) -> None:
    if loss := found["loss"]:
        terms = ", ".join(f"{name} {_short(value)}" for name, value in loss["terms"].items())
        print(f"Loss {_short(loss['value'])}. {loss['name']} ({terms}).")
    if batch := found["batch"]:
        print(f"On {batch['steps']:,} fresh steps of {batch['env_id']}; actions: {batch['policy']}.")
    for note in found["notes"]:
        print(f"! {note}")


@group.command()
def compare(first: PolicyArgument, second: PolicyArgument, as_json: AsJson = False) -> None:
    """Compare two checkpoints: configuration, and weights tensor by tensor; `rl-lab duel` lets them play."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        one, other = (find_policy_id(client, name) for name in (first, second))
        with open_job_bar("Comparing", quiet=as_json):
            found = client.get(f"/api/checkpoints/{one}/difference/{other}")
    if as_json:
        print_json(found)
        return
    if found["configuration"]:
        print_table(
            ("SETTING", first, second),
            [(one["name"], _value(one["first"]), _value(one["second"])) for one in found["configuration"]],
        )
    else:
        print("The configurations are the same.")
    if found["weights_problem"]:
        # A worker that could not read them says so itself.
        problem = found["weights_problem"].removeprefix("The weights could not be compared: ")
        print(f"The weights were not compared: {problem}")
    elif found["has_same_weights"]:
        print("The weights are the same.")
    else:
        _print_differences(found, first, second)


def _print_differences(found: dict[str, Any], first: str, second: str) -> None:
    if not found["tensors"]:
        print("No tensor of one has the name and the shape of one of the other: the networks are different.")
        return
    print_table(
        ("TENSOR", "SHAPE", "DIFFERENCE", "RELATIVE", "LARGEST", "COSINE"),
        [
            (
                one["name"],
                "×".join(map(str, one["shape"])),
                *(_short(one[name]) for name in ("norm", "relative", "maximum", "cosine")),
            )
            for one in found["tensors"]
        ],
    )
    for one in found["shapes"]:
        print(f"{one['name']}: {_shape(one['first'])} in {first}, {_shape(one['second'])} in {second}")


@group.command()
def lineage(run: PolicyArgument, as_json: AsJson = False) -> None:
    """Show which runs a run comes from, and which came from it."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get(f"/api/runs/{find_policy(client, run).run_id}/lineage")
    if as_json:
        print_json(found)
        return
    nodes = {node["run_id"]: node for node in found["nodes"]}
    for edge in found["edges"]:
        step = "" if edge["timestep"] is None else f" at step {edge['timestep']:,}"
        how = edge["kind"].replace("_", " ")
        print(f"{_name(nodes[edge['parent']])} → {_name(nodes[edge['child']])}  ({how}{step})")
    if not found["edges"]:
        print(f"{_name(nodes[found['run_id']])} was not started from another run, and none from it.")
    if found["is_cut"]:
        print(f"There are more; these are the {len(nodes)} nearest.")


def _name(node: dict[str, Any]) -> str:
    return f"{node['name']} [{node['run_id']}]{' (deleted)' if node['is_deleted'] else ''}"


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}".replace("-", "−")


def _value(value: Any) -> str:
    return "–" if value is None else str(value)


def _shape(shape: Sequence[int] | None) -> str:
    return "missing" if shape is None else "×".join(map(str, shape)) or "one number"


def _bars(histogram: dict[str, Any] | None) -> str:
    """The counts as one line of bars."""
    if histogram is None:
        return ""
    counts = histogram["counts"]
    parts = [
        sum(counts[i * len(counts) // BAR_COUNT : (i + 1) * len(counts) // BAR_COUNT])
        for i in range(BAR_COUNT)
    ]
    top = max(parts) or 1
    return "".join(" " if not part else BARS[min(7, part * 8 // (top + 1))] for part in parts)


def _shade(value: float | None, low: float | None, high: float | None) -> str:
    if value is None or low is None or high is None:
        return "×"
    share = 0.0 if high == low else (value - low) / (high - low)
    return SHADES[min(len(SHADES) - 1, int(share * len(SHADES)))]
