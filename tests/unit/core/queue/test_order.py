"""Places of waiting runs: studies alternate, moved runs go exactly where they were put."""

from __future__ import annotations

import random

from rl_lab.core.queue.order import BEGIN, QueuePlace, end_of_round, find_round, move_block, round_of


class Line:
    """The waiting runs of one lane, kept as the database does."""

    def __init__(self) -> None:
        self.rows: list[QueuePlace] = []
        self.studies: dict[str, str] = {}

    def enter(self, run_id: str, study: str = "", priority: int = 0) -> None:
        same = [row for row in self.rows if row.priority == priority]
        own = [row.place for row in same if study and self.studies[row.run_id] == study]
        round_ = find_round(min((r.place for r in same), default=None), max(own, default=None))
        last = max((r.place for r in same if round_of(r.place) == round_), default=None)
        self.studies[run_id] = study
        self.rows.append(QueuePlace(run_id, priority, end_of_round(round_, last)))
        self._sort()

    def move(self, moved: set[str], at: int) -> list[QueuePlace]:
        changed = move_block(self.rows, moved, at)
        new = {row.run_id: row for row in changed}
        self.rows = [new.get(row.run_id, row) for row in self.rows]
        self._sort()
        return changed

    def start(self) -> str:
        return self.rows.pop(0).run_id

    def _sort(self) -> None:
        self.rows.sort(key=lambda row: (-row.priority, row.place))

    @property
    def ids(self) -> list[str]:
        return [row.run_id for row in self.rows]


def test_a_single_run_comes_after_one_run_of_a_long_study() -> None:
    line = Line()
    for n in range(200):
        line.enter(f"a{n}", "a")
    line.start()
    line.enter("mine")
    line.enter("yours")
    assert line.ids[:4] == ["a1", "mine", "yours", "a2"]


def test_studies_alternate_and_single_runs_keep_their_order() -> None:
    line = Line()
    for study in ("a", "b"):
        for n in range(3):
            line.enter(f"{study}{n}", study)
    assert line.ids == ["a0", "b0", "a1", "b1", "a2", "b2"]
    for n in range(3):
        line.enter(f"s{n}")
    assert line.ids == ["a0", "b0", "s0", "s1", "s2", "a1", "b1", "a2", "b2"]


def test_a_study_that_adds_runs_one_by_one_alternates_too() -> None:
    line = Line()
    for n in range(3):
        line.enter(f"a{n}", "a")
    started = []
    line.enter("b0", "b")
    for n in range(1, 3):
        started += [line.start(), line.start()]
        line.enter(f"b{n}", "b")
    assert started == ["a0", "b0", "a1", "b1"]


def test_a_higher_priority_comes_first_and_has_rounds_of_its_own() -> None:
    line = Line()
    line.enter("low")
    for n in range(2):
        line.enter(f"a{n}", "a", priority=5)
    line.enter("urgent", priority=5)
    assert line.ids == ["a0", "urgent", "a1", "low"]


def test_a_moved_run_is_where_it_was_put_whatever_the_priorities() -> None:
    line = Line()
    line.enter("high", priority=100)
    line.enter("mid", priority=3)
    for name in ("one", "two", "three"):
        line.enter(name)
    line.move({"three"}, 0)
    assert line.ids == ["three", "high", "mid", "one", "two"]
    assert line.rows[0].priority == 100
    line.move({"high"}, 3)
    assert line.ids == ["three", "mid", "one", "high", "two"]
    assert next(row.priority for row in line.rows if row.run_id == "high") == 0


def test_a_priority_that_fits_between_the_neighbours_is_kept() -> None:
    line = Line()
    line.enter("high", priority=9)
    line.enter("mid", priority=3)
    line.enter("low", priority=0)
    line.move({"mid"}, 1)
    assert [row.priority for row in line.rows] == [9, 3, 0]


def test_a_run_moved_to_the_front_does_not_let_new_ones_overtake() -> None:
    line = Line()
    for n in range(4):
        line.enter(f"s{n}")
    line.move({"s3"}, 0)
    line.enter("new")
    assert line.ids == ["s3", "s0", "s1", "s2", "new"]


def test_only_the_moved_run_is_written() -> None:
    line = Line()
    for n in range(200):
        line.enter(f"s{n}")
    assert [row.run_id for row in line.move({"s150"}, 10)] == ["s150"]
    assert line.move({"s150"}, 10) == [] or line.ids[10] == "s150"


def test_runs_with_the_same_place_can_be_parted() -> None:
    """As those have that waited when the lab was upgraded."""
    rows = [QueuePlace(name, 0, BEGIN) for name in "abcd"]
    changed = {row.run_id: row for row in move_block(rows, {"d"}, 1)}
    order = sorted((changed.get(row.run_id, row) for row in rows), key=lambda row: row.place)
    assert [row.run_id for row in order] == ["a", "d", "b", "c"]


def test_a_whole_study_moves_together_in_its_order() -> None:
    line = Line()
    line.enter("first", priority=2)
    for n in range(3):
        line.enter(f"a{n}", "a")
        line.enter(f"b{n}", "b")
    line.move({"b0", "b1", "b2"}, 0)
    assert line.ids == ["b0", "b1", "b2", "first", "a0", "a1", "a2"]


def test_thousands_of_random_moves_keep_the_order_exact() -> None:
    """Also when there is no room left between two places."""
    random_ = random.Random(7)
    line = Line()
    for n in range(12):
        line.enter(f"s{n}", priority=n % 2)
    for _ in range(3000):
        expected = line.ids
        moved = expected.pop(random_.randrange(len(expected)))
        at = random_.randrange(len(expected) + 1) if random_.random() < 0.3 else 1
        expected.insert(at, moved)
        line.move({moved}, at)
        assert line.ids == expected
