"""From which resume on a training is not that of a run without a stop."""

from __future__ import annotations

from rl_lab.core.resuming import Resume, find_inexact

INEXACT = Resume(1000, "not exact", is_exact=False)


def exact(step: int) -> Resume:
    return Resume(step, "exact", is_exact=True)


def test_the_first_resume_that_was_not_exact_counts() -> None:
    later = Resume(3000, "not exact either", is_exact=False)
    assert find_inexact([exact(500), INEXACT, exact(2000), later]) == INEXACT


def test_a_rewind_to_before_it_undoes_it() -> None:
    assert find_inexact([INEXACT, exact(800), exact(1600)]) is None
    assert find_inexact([INEXACT, exact(1000)]) is None
    assert find_inexact([INEXACT, exact(1200)]) == INEXACT


def test_what_was_not_reported_is_not_judged() -> None:
    assert find_inexact([Resume(400, "Resumed from step 400.")]) is None
