"""What differs between two snapshots, and how it is put into words."""

from __future__ import annotations

from rl_lab.core.reproduction.snapshots import Snapshot, differences, hash_of, read_snapshot

HERE = Snapshot(
    python={"version": "3.11.7"},
    cpu={"model": "A"},
    packages={"numpy": "2.4.6", "rich": "1"},
    fingerprint={"math": "a", "numpy": "b"},
)


def changed(**fields: object) -> Snapshot:
    return HERE.model_copy(update=fields)


def test_the_same_snapshot_has_no_differences() -> None:
    assert differences(HERE, HERE) == []


def test_fingerprint_and_numeric_packages_come_first() -> None:
    before = changed(
        packages={"numpy": "2.4.5", "rich": "0"},
        fingerprint={"math": "x", "numpy": "b"},
        python={"version": "3.11.6"},
    )
    assert differences(before, HERE) == [
        "numbers are rounded differently here (fingerprint of the C library)",
        "numpy 2.4.5 → 2.4.6",
        "rich 0 → 1",
        "Python: 3.11.6 → 3.11.7",
    ]


def test_a_package_of_one_side_counts_if_it_decides_about_numbers() -> None:
    before = changed(packages={"numpy": "2.4.6", "rich": "1", "torch": "2.13.0", "black": "24"})
    assert differences(before, HERE) == ["torch 2.13.0 → not installed"]


def test_many_packages_are_counted() -> None:
    before = changed(packages={f"p{n}": "1" for n in range(8)})
    now = changed(packages={f"p{n}": "2" for n in range(8)})
    assert differences(before, now)[-1] == "3 more packages"


def test_parts_that_one_side_lacks_are_not_compared() -> None:
    assert differences(changed(fingerprint={"math": "a"}, cpu={}), HERE) == []


def test_what_a_program_sent_is_read_leniently() -> None:
    assert read_snapshot(b'{"packages": {"a": 1}, "mine": 2}') is not None
    assert read_snapshot(b'{"packages": "none"}') is None
    assert read_snapshot(b"[]") is None


def test_a_hash_does_not_depend_on_the_order_of_names() -> None:
    assert hash_of({"a": 1, "b": [2]}) == hash_of({"b": [2], "a": 1})
    assert HERE.sha256 != changed(cpu={"model": "B"}).sha256
