"""What a database would choke on is tamed before it gets there."""

from __future__ import annotations

import json

from rl_lab.store.sql.columns import dump_json


def test_what_json_can_hold_is_kept_as_it_is() -> None:
    value = {"a": [1, 2.5, None, True, "x"]}
    assert json.loads(dump_json(value)) == value


def test_nesting_without_end_is_cut() -> None:
    deep: list[object] = []
    for _ in range(20_000):
        deep = [deep]
    assert dump_json({"obs": deep}).startswith('{"obs":[[[')


def test_numbers_and_text_beyond_a_database_are_written_as_words() -> None:
    assert json.loads(dump_json({"n": 10**30, "s": "a\ud800"})) == {"n": "1" + "0" * 30, "s": "a?"}
