"""The card of a model: Markdown with the metadata that the Hugging Face Hub reads. Only facts that the lab measured."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rl_lab.analysis.models.licence_texts import NAMES
from rl_lab.analysis.wording import count, number
from rl_lab.core.evaluations import EvaluationSummary
from rl_lab.core.intervals import level_text, why_none
from rl_lab.core.models.packages import EXAMPLE, LICENCE_FILE, REPLAY, REQUIREMENTS, CardFacts
from rl_lab.core.words.durations import short_duration
from rl_lab.core.words.shown_text import on_one_line

SHOWN_SEEDS = 10


def write_card(facts: CardFacts, *, library: str, example: str, files: Mapping[str, str]) -> str:
    """`files`: what each file of the package is, by name; `example`: the code that acts with the model."""
    parts = [
        _metadata(facts, library),
        f"# {text(facts.algorithm)} on {text(facts.env_id)}",
        _opening(facts),
        *_results(facts),
        "## How to use\n\n"
        f"```sh\npip install -r {REQUIREMENTS}\npython {EXAMPLE}\n```\n\n"
        f"{EXAMPLE}:\n\n```python\n{example.rstrip()}\n```",
        f"## Training\n\n{_table(_training_rows(facts))}",
        *_parameters(facts),
        *_lineage(facts),
        "## Files\n\n"
        + _table([(f"`{name}`", what) for name, what in files.items()], ("File", "What it is")),
        f"## Licence\n\n{_licence(facts)}",
    ]
    return "\n\n".join(parts) + "\n"


def _metadata(facts: CardFacts, library: str) -> str:
    """YAML in which every value is JSON, which is YAML too: no name can break out of it."""
    lines = [
        f"library_name: {_json(library)}",
        f"license: {facts.licence}",
        "pipeline_tag: reinforcement-learning",
        "tags:",
        *(f"- {_json(tag)}" for tag in _tags(facts, library)),
        *_model_index(facts),
    ]
    return "\n".join(["---", *lines, "---"])


def _tags(facts: CardFacts, library: str) -> list[str]:
    found = [facts.env_id, facts.algorithm.lower(), "reinforcement-learning", "deep-reinforcement-learning"]
    return list(dict.fromkeys([*found, library, "rl-lab"]))


def _model_index(facts: CardFacts) -> list[str]:
    """The Hub shows it as a result; without an evaluation there is none."""
    if facts.evaluation is None:
        return []
    summary = facts.evaluation.summary
    value = f"{summary.return_mean:.2f} +/- {summary.return_std:.2f}"
    return [
        "model-index:",
        f"- name: {_json(f'{facts.algorithm} on {facts.env_id}')}",
        "  results:",
        "  - task:",
        "      type: reinforcement-learning",
        "      name: reinforcement-learning",
        "    dataset:",
        f"      name: {_json(facts.env_id)}",
        f"      type: {_json(facts.env_id)}",
        "    metrics:",
        "    - type: mean_reward",
        f"      value: {_json(value)}",
        "      name: mean_reward",
        "      verified: false",
    ]


def _opening(facts: CardFacts) -> str:
    steps = f", {facts.timestep:,} steps" if facts.timestep is not None else ""
    made_by = (
        f"imported from {text(facts.origin)}" if facts.origin else f"trained with {text(facts.runner)}{steps}"
    )
    first = f"A **{text(facts.algorithm)}** policy for `{code(facts.env_id)}`, {made_by}."
    made = f"Packaged by RL Lab {facts.lab_version}".rstrip()
    return f"{first} {made} from the run “{text(facts.run_name)}”."


def _results(facts: CardFacts) -> list[str]:
    if facts.evaluation is None:
        words = "Not evaluated: no evaluation of this checkpoint exists."
        if facts.training_score is not None:
            words += (
                " When it was saved, the mean return of the last training episodes was "
                f"{number(facts.training_score)}; training explores, so that is not an evaluation."
            )
        return [f"## Results\n\n{words}"]
    summary = facts.evaluation.summary
    rows = [
        (
            "Mean return",
            f"**{number(summary.return_mean)}** ± {number(summary.return_std)} (standard deviation)",
        ),
        ("Interval of the mean", _interval(summary)),
        ("Median", number(summary.return_median)),
        ("Lowest to highest", f"{number(summary.return_min)} to {number(summary.return_max)}"),
        ("Mean episode length", f"{number(summary.length_mean)} steps"),
    ]
    if summary.successes is not None and summary.success_threshold is not None:
        solved = f"{summary.successes} of {summary.episodes} episodes"
        rows.append((f"Return of at least {number(summary.success_threshold)}", solved))
    rows += [
        (f"`{code(name)}`", f"{number(one.mean)} ± {number(one.std)}")
        for name, one in summary.numbers.items()
    ]
    return [f"## Results\n\n{_table(rows)}\n\n{_protocol(summary)}"]


def _interval(summary: EvaluationSummary) -> str:
    low, high = summary.return_ci
    reason = why_none(summary.return_ci, summary.return_ci_level)
    if reason is not None or low is None or high is None or summary.return_ci_level is None:
        return reason or "–"
    return f"{number(low)} to {number(high)} ({level_text(summary.return_ci_level)}, bootstrap)"


def _protocol(summary: EvaluationSummary) -> str:
    actions = "the best action in each state" if summary.deterministic else "actions sampled from the policy"
    seeds = ", ".join(map(str, summary.seeds[:SHOWN_SEEDS])) + (
        ", …" if len(summary.seeds) > SHOWN_SEEDS else ""
    )
    played = count(summary.episodes, "episode")
    cited = summary.protocol
    named = f" {text(cited.text.removeprefix('protocol '))}" if cited is not None and cited.name else ""
    computed = (
        f" The numbers are computed by the evaluation code {text(summary.code or '')}."
        if summary.numbers
        else ""
    )
    return (
        f"Protocol{named}: {played}, {actions}, environment seeds {seeds}.{computed} Measured by RL Lab, not verified "
        "by others."
    )


def _training_rows(facts: CardFacts) -> list[tuple[str, str]]:
    steps = f"{facts.timestep:,}" if facts.timestep is not None else ""
    if facts.origin and steps:
        steps += " according to the file"
    asked = f" of {facts.total_timesteps:,} asked for" if facts.total_timesteps and steps else ""
    rows = [
        ("Imported from", text(facts.origin)),
        ("Algorithm", f"{text(facts.algorithm)} ({text(facts.runner)})"),
        ("Environment", f"`{code(facts.env_id)}`"),
        ("Arguments of the environment", f"`{code(_json(facts.env_kwargs))}`" if facts.env_kwargs else ""),
        ("Steps of this checkpoint", steps + asked),
        ("Seed", "" if facts.seed is None else str(facts.seed)),
        ("Preset", text(facts.preset or "")),
        ("Training time of the run", short_duration(round(facts.trained_s)) if facts.trained_s >= 1 else ""),
        ("Date", facts.trained_at.strftime("%Y-%m-%d") if facts.trained_at else ""),
        ("Hardware", text(facts.hardware)),
        ("Python", text(facts.python)),
        ("Packages", f"see `{REQUIREMENTS}`"),
        ("SHA-256 of the model", f"`{code(facts.sha256)}`" if facts.sha256 else ""),
    ]
    return [row for row in rows if row[1]]


def _parameters(facts: CardFacts) -> list[str]:
    if not facts.changed:
        return ["All parameters have their defaults."] if not facts.origin else []
    rows = [(f"`{code(name)}`", f"`{code(_json(value))}`") for name, value in facts.changed.items()]
    words = "All other parameters have their defaults; `config.json` lists every one."
    return [f"Parameters that differ from the defaults:\n\n{_table(rows, ('Parameter', 'Value'))}\n\n{words}"]


def _lineage(facts: CardFacts) -> list[str]:
    if facts.ancestor is None:
        return []
    one = facts.ancestor
    name = f"“{text(one.name)}”" if one.name else "a run that was deleted since"
    at = f", step {one.timestep:,}" if one.timestep is not None else ""
    digest = f" (SHA-256 `{code(one.sha256)}`)" if one.sha256 else ""
    return [f"## Lineage\n\nThe training started with the weights of {name}{at}{digest}."]


def _licence(facts: CardFacts) -> str:
    return f"{NAMES[facts.licence]}; the text is in `{LICENCE_FILE}`."


def _table(rows: Sequence[tuple[str, str]], head: tuple[str, str] = ("", "")) -> str:
    return "\n".join(
        [f"| {head[0]} | {head[1]} |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows)]
    )


def text(given: str) -> str:
    """A name somebody chose, as plain text in Markdown: it makes no link, no table and no HTML."""
    return re.sub(r"([\\`*_\[\]<>|#~!&$])", r"\\\1", on_one_line(given))


def code(given: str) -> str:
    """The same between backticks, where a backslash is one."""
    return on_one_line(given).replace("`", "'").replace("|", "¦")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


FILE_MEANINGS = {
    REQUIREMENTS: "the packages that the example needs, with the versions of the training",
    EXAMPLE: "plays one episode",
    "config.json": "the complete configuration of the training",
    LICENCE_FILE: "the licence",
    REPLAY: "an episode of the evaluation",
}
