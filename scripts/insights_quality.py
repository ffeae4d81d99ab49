"""Measures the insights on labelled runs and writes the tables of docs/insights.md.

`python scripts/insights_quality.py` measures on the held-out seed and rewrites the tables; with `--check` it only
reports whether they would change. `--fit` fits the confidences on the seeds for tuning instead. Both take a minute.
"""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from unit.analysis import calibrating, real_runs  # noqa: E402
from unit.analysis.calibrating import Bin  # noqa: E402
from unit.analysis.false_alarms import PROCESSES, alarm_rate  # noqa: E402
from unit.analysis.quality import Score, score, score_seeds  # noqa: E402
from unit.analysis.synthetic import make_drifting_runs, make_runs, make_seed_groups  # noqa: E402

PAGE = ROOT / "docs" / "insights.md"
TABLE = ROOT / "src" / "rl_lab" / "analysis" / "insights" / "calibration.py"
SEED, RUNS, GROUPS = 23_606, 2000, 200
"""No threshold and no confidence was tuned on this seed."""
TUNING, TUNING_RUNS, TUNING_GROUPS = (1, 2, 3), 1000, 100
DIRECTIONS = frozenset(
    {"catastrophic_drop", "getting_worse", "improving", "converged", "plateau", "stuck", "unclear"}
)
PROCESS_RUNS, DRIFTING = 400, 500


def main() -> int:
    if "--fit" in sys.argv[1:]:
        _fit()
        print("Fitted; run this script again without --fit.")
        return 0
    page = PAGE.read_text(encoding="utf-8")
    new = _measured(page)
    if "--check" in sys.argv[1:]:
        state = "up to date." if new == page else "stale: run this script."
        print(f"docs/insights.md is {state}")
        return int(new != page)
    PAGE.write_text(new, encoding="utf-8")
    print(f"Wrote {PAGE.relative_to(ROOT)}.")
    return 0


def _measured(page: str) -> str:
    runs, groups = make_runs(SEED, RUNS), make_seed_groups(SEED, GROUPS)
    found = score(runs) | score_seeds(groups)
    drifting = make_drifting_runs(SEED, DRIFTING)
    bins = calibrating.check(calibrating.sentences_about([*runs, *drifting], groups, held_out=True))
    page = _replace(page, "table", _quality(found))
    page = _replace(page, "calibration", _calibration(bins))
    page = _replace(page, "next", _next())
    return _replace(page, "alarms", _alarms())


def _replace(page: str, name: str, content: str) -> str:
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    return page.split(begin, maxsplit=1)[0] + f"{begin}\n{content}\n{end}" + page.split(end)[1]


def _quality(scores: dict[str, Score]) -> str:
    """A Markdown table, one line per detector."""
    lines = [
        f"{RUNS:,} runs and {GROUPS} groups of seeds, generator seed {SEED}.",
        "",
        "| insight | precision | recall | TP | FN | FP | TN | not scored |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, one in scores.items():
        counts = (
            one.true_positives,
            one.false_negatives,
            one.false_positives,
            one.true_negatives,
            one.unscored,
        )
        lines.append(
            f"| `{name}` | {one.precision:.3f} | {one.recall:.3f} | {' | '.join(map(str, counts))} |"
        )
    return "\n".join(lines)


def _calibration(bins: list[Bin]) -> str:
    lines = ["| confidence | sentences | mean confidence | right |", "| --- | ---: | ---: | ---: |"]
    for one in bins:
        label = f"{one.low:.2f} to {min(one.high, 1.0):.2f}"
        lines.append(f"| {label} | {one.sentences} | {one.confidence:.3f} | {one.right:.3f} |")
    return "\n".join(lines)


def _alarms() -> str:
    lines = [f"| stationary process, {PROCESS_RUNS} runs each | false alarms |", "| --- | ---: |"]
    for name in PROCESSES:
        lines.append(f"| {name} | {100 * alarm_rate(name, SEED, PROCESS_RUNS):.1f} % |")
    return "\n".join(lines)


def _next() -> str:
    """What was reported about prefixes of real runs, by what happened next."""
    risen, others = Counter[str](), Counter[str]()
    for held_out in (False, True):
        for prefix in real_runs.prefixes(held_out=held_out):
            tally = risen if real_runs.rose(prefix) else others
            tally.update(real_runs.names(prefix) & DIRECTIONS)
    lines = ["| reported | then rose by a quarter of its range | did not |", "| --- | ---: | ---: |"]
    lines += [f"| {name} | {risen[name]} | {others[name]} |" for name in sorted(risen | others)]
    return "\n".join(lines)


def _fit() -> None:
    sentences = []
    with calibrating.uncalibrated():
        for seed in TUNING:
            runs, groups = make_runs(seed, TUNING_RUNS), make_seed_groups(seed, TUNING_GROUPS)
            sentences += list(calibrating.sentences_about(runs, groups, held_out=False))
    rows = "".join(f'    "{name}": {steps!r},\n' for name, steps in calibrating.fit(sentences).items())
    text = TABLE.read_text(encoding="utf-8")
    table = f"# table: begin\nTABLE: Mapping[str, Steps] = {{\n{rows}}}\n# table: end"
    TABLE.write_text(re.sub(r"# table: begin.*# table: end", table, text, flags=re.S), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
