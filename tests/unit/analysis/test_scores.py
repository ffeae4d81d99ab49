"""Normalised scores of a group, with the reference that they are measured with."""

from rl_lab.analysis.seed_notes import describe_scores

REFERENCE = "Normalised score: 0 is a return of −200, 100 one of 250 (D4RL: random and expert)."


def test_scores_of_seeds_name_their_reference() -> None:
    assert describe_scores([]) == []
    assert describe_scores([(80.0, REFERENCE), (90.0, REFERENCE), (40.5, "")]) == [
        "Normalised score 85, from 80 to 90 over 2 seeds. 0 is a return of −200, 100 one of 250 (D4RL: random and "
        "expert).",
        "Normalised score 40.5.",
    ]
