"""What the shell offers after Tab: runs, environments, parameters.

Only a running lab is asked: starting one takes too long between two key presses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from rl_lab.core.words.shown_text import on_one_line
from rl_lab.core.words.typed_names import as_word

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

MAX_RUNS = 50
Offer = list[tuple[str, str]]
"""Words and what the shell shows next to them."""


def complete_run(incomplete: str) -> Offer:
    """Ids, and names written as one word."""

    def ask(client: LabClient) -> Offer:
        runs = client.get("/api/runs", limit=MAX_RUNS)["items"]
        ids = [(run["id"], f"{run['name']} ({run['status']})") for run in runs]
        names = {as_word(run["name"]): f"{run['id']} ({run['status']})" for run in reversed(runs)}
        return [*ids, *names.items()]

    fixed = [("latest", "the newest training"), ("best", "the highest mean reward")]
    return [offer for offer in (*_ask(ask), *fixed) if offer[0].startswith(incomplete)]


def complete_model(incomplete: str) -> Offer:
    """Names written as one word, and their versions by label."""

    def ask(client: LabClient) -> Offer:
        offers: Offer = []
        for model in client.get("/api/models")["items"]:
            name, versions = as_word(model["name"]), model["versions"]
            offers.append((name, f"model, {len(versions)} versions"))
            offers += [
                (f"{name}@{label}", f"v{one['version']}") for one in versions for label in one["labels"]
            ]
            offers += [(f"{name}@v{one['version']}", one["run_name"]) for one in versions]
        return offers

    return [offer for offer in _ask(ask) if offer[0].startswith(incomplete)]


def complete_policy(incomplete: str) -> Offer:
    """Runs and named models."""
    return [*complete_model(incomplete), *complete_run(incomplete)]


def complete_dataset(incomplete: str) -> Offer:
    """Names, and their versions."""

    def ask(client: LabClient) -> Offer:
        offers: Offer = []
        for dataset in client.get("/api/datasets")["items"]:
            name, versions = dataset["name"], dataset["versions"]
            offers += [(name, _about_version(one)) for one in versions[:1]]
            offers += [(f"{name}@v{one['version']}", _about_version(one)) for one in versions]
        return offers

    return [offer for offer in _ask(ask) if offer[0].lower().startswith(incomplete.lower())]


def complete_code(plural: str) -> Callable[[str], Offer]:
    """For saved code of one kind: rewards, evaluation-codes."""
    return lambda incomplete: _complete_code(plural, incomplete)


complete_reward = complete_code("rewards")


def complete_saved(context: typer.Context, incomplete: str) -> Offer:
    """Saved code of the kind that the group of commands is about."""
    group = context.parent.info_name if context.parent is not None else None
    return _complete_code(group or "rewards", incomplete)


def _complete_code(plural: str, incomplete: str) -> Offer:
    """Names, and their versions."""

    def ask(client: LabClient) -> Offer:
        offers: Offer = []
        for code in client.get(f"/api/{plural}"):
            offers.append((code["name"], code["note"] or code["env_id"] or "for any environment"))
            offers += [(f"{code['name']}@v{one['version']}", one["note"]) for one in code["versions"]]
        return offers

    return [offer for offer in _ask(ask) if offer[0].lower().startswith(incomplete.lower())]


def _about_version(version: dict[str, Any]) -> str:
    return f"{version['env_id']}, {version['episodes']:,} episodes"


def complete_study(incomplete: str) -> Offer:
    """Ids, and names written as one word."""

    def ask(client: LabClient) -> Offer:
        studies = client.get("/api/studies", limit=MAX_RUNS)["items"]
        ids = [(study["id"], f"{study['name']} ({study['status']})") for study in studies]
        names = {as_word(study["name"]): f"{study['id']} ({study['status']})" for study in reversed(studies)}
        return [*ids, *names.items()]

    offers = [*_ask(ask), ("latest", "the newest study")]
    return [offer for offer in offers if offer[0].startswith(incomplete)]


def complete_environment(incomplete: str) -> Offer:
    def ask(client: LabClient) -> Offer:
        known = client.get("/api/environments")
        return [(env["id"], env["name"]) for env in known if env["id"].startswith(incomplete)]

    return _ask(ask)


def complete_runner(incomplete: str) -> Offer:
    def ask(client: LabClient) -> Offer:
        known = client.get("/api/runners")
        return [(runner["id"], runner["name"]) for runner in known if runner["id"].startswith(incomplete)]

    return _ask(ask)


def complete_algorithm(incomplete: str) -> Offer:
    return _ask(lambda client: _algorithms(client, incomplete))


def complete_parameter(context: typer.Context, incomplete: str) -> Offer:
    """`--set lea` → `learning_rate=`, for the algorithm and the runner typed before it."""
    if "=" in incomplete:
        return []
    algorithm = (context.params.get("algorithm") or "ppo").lower()
    runner = context.params.get("runner")

    def ask(client: LabClient) -> Offer:
        found: dict[str, str] = {}
        for one in client.get("/api/runners"):
            if runner is None or one["id"] == runner:
                for spec in one["algorithms"]:
                    if spec["id"] == algorithm:
                        found = {**_parameters(spec), **found}
        return [(f"{name}=", text) for name, text in sorted(found.items()) if name.startswith(incomplete)]

    return _ask(ask)


def _algorithms(client: LabClient, incomplete: str) -> Offer:
    found = {
        spec["id"]: spec["name"] for runner in client.get("/api/runners") for spec in runner["algorithms"]
    }
    return [(name, text) for name, text in sorted(found.items()) if name.startswith(incomplete.lower())]


def _parameters(algorithm: dict[str, Any]) -> dict[str, str]:
    fields = algorithm["params_schema"]["properties"]
    return {name: field.get("description", "") for name, field in fields.items()}


def _ask(question: Callable[[LabClient], Offer]) -> Offer:
    from rl_lab.cli.connection import find_lab, read_settings
    from rl_lab.core.errors import LabError

    try:
        client = find_lab(read_settings().home_path)
        if client is None:
            return []
        with client:
            return [(on_one_line(word), on_one_line(text)) for word, text in question(client)]
    except LabError:
        return []
