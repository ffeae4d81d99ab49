"""A run lists the numbers of its evaluations with the protocols that measured them."""

from __future__ import annotations

from rl_lab.cli.run_numbers import number_texts


def test_each_number_cites_its_protocol_and_older_versions_have_lines_of_their_own() -> None:
    numbers = {"soft": 0.5, "soft@nightly@v2": 0.5, "soft@nightly@v1": 0.25, "fuel": 3.0}
    cited = {"soft": "nightly@v2", "soft@nightly@v2": "nightly@v2", "soft@nightly@v1": "nightly@v1"}
    assert number_texts({"numbers": numbers, "cited": cited}) == [
        "soft 0.500 (nightly@v2)",
        "soft 0.250 (nightly@v1)",
        "fuel 3.000 (protocol unknown)",
    ]
