"""Precision and recall of every detector over made-up runs."""

from dataclasses import dataclass

from unit.analysis.synthetic import MadeRun
from unit.analysis.truth import SCORED, truth_of

from rl_lab.analysis.insights.detect import find_insights
from rl_lab.analysis.insights.seeds import compare_seeds


@dataclass
class Score:
    """How often a detector was right."""

    found: int = 0
    missed: int = 0
    invented: int = 0
    silent: int = 0
    unscored: int = 0

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.invented) if self.found + self.invented else 1.0

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missed) if self.found + self.missed else 1.0


def score(runs: list[MadeRun]) -> dict[str, Score]:
    """One score per detector."""
    scores = {name: Score() for name in SCORED}
    for run in runs:
        said = {insight.id for insight in find_insights(run.curves)}
        for name, verdict in truth_of(run).items():
            _count(scores[name], verdict, name in said)
    return scores


def _count(tally: Score, verdict: bool | None, said: bool) -> None:
    if verdict is None:
        tally.unscored += 1
    elif verdict:
        tally.found += said
        tally.missed += not said
    else:
        tally.invented += said
        tally.silent += not said


def score_seeds(groups: list[tuple[bool, list[MadeRun]]]) -> dict[str, Score]:
    """The same for what is said about several seeds."""
    scores = {"seeds_disagree": Score(), "seeds_agree": Score()}
    for differ, runs in groups:
        insight = compare_seeds([run.curves for run in runs])
        said = insight.id if insight else ""
        _count(scores["seeds_disagree"], differ, said == "seeds_disagree")
        _count(scores["seeds_agree"], not differ, said == "seeds_agree")
    return scores
