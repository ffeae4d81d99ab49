"""Neptune's export is recognised, and the answer says how to adopt what it holds."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from rl_lab.analysis.adoption.neptune_files import is_neptune
from rl_lab.orchestrator.adoption.reader.walk import Walk

EXPORTED = base64.b64decode(
    "UEFSMRUEFQ4VDkwVAhUAEgAAAwAAAHcvcBUAFRIVEiwVBhUQFQYVBhwAAAACAAAABgEBBgAVBBUSFRJMFQIVABIAAAUAAABSVU4tMRUAFRIV"
    "EiwVBhUQFQYVBhwAAAACAAAABgEBBgAVBBU4FThMFQQVABIAAAgAAABzeXMvbmFtZQwAAABtZXRyaWNzL2xvc3MVABUSFRIsFQYVEBUGFQYc"
    "AAAAAgAAAAYBAQMGFQQVNBU0TBUEFQASAAAGAAAAc3RyaW5nDAAAAGZsb2F0X3NlcmllcxUAFRIVEiwVBhUQFQYVBhwAAAACAAAABgEBAwYV"
    "BBUgFSBMFQQVABIAAAAAAAAAD0JAAAAAAAAehIAVABUSFRIsFQYVEBUGFQYcAAAAAgAAAAMGAQMCFQQVIBUgTBUEFQASAAAAAAAAAADgPwAA"
    "AAAAANA/FQAVEhUSLBUGFRAVBhUGHAAAAAIAAAADBgEDAhUEFRAVEEwVAhUAEgAABAAAAGRlbW8VABUSFRIsFQYVEBUGFQYcAAAAAgAAAAMB"
    "AQIAFQQZjDUAGAZzY2hlbWEVDgAVDCUCGApwcm9qZWN0X2lkJQBMHAAAABUMJQIYBnJ1bl9pZCUATBwAAAAVDCUCGA5hdHRyaWJ1dGVfcGF0"
    "aCUATBwAAAAVDCUCGA5hdHRyaWJ1dGVfdHlwZSUATBwAAAAVDhUQFQIYBHN0ZXAlChUMFSQsXBUMFSQAAAAVCiUCGAtmbG9hdF92YWx1ZQAV"
    "DCUCGAxzdHJpbmdfdmFsdWUlAEwcAAAAFgYZHBl8JgAcFQwZNQAGEBkYCnByb2plY3RfaWQVABYGFmIWYiYyJggpLBUEFQAVAgAVABUQFQIA"
    "PBYSGQYZJgAGAAAAJgAcFQwZNQAGEBkYBnJ1bl9pZBUAFgYWZhZmJpgBJmopLBUEFQAVAgAVABUQFQIAPBYeGQYZJgAGAAAAJgAcFQwZNQAG"
    "EBkYDmF0dHJpYnV0ZV9wYXRoFQAWBhaMARaMASakAibQASksFQQVABUCABUAFRAVAgA8FkAZBhkmAAYAAAAmABwVDBk1AAYQGRgOYXR0cmli"
    "dXRlX3R5cGUVABYGFogBFogBJqwDJtwCKSwVBBUAFQIAFQAVEBUCADwWPBkGGSYABgAAACYAHBUOGTUABhAZGARzdGVwFQAWBhZ0FnQmoAQm"
    "5AMpLBUEFQAVAgAVABUQFQIAPCkGGSYCBAAAACYAHBUKGTUABhAZGAtmbG9hdF92YWx1ZRUAFgYWdBZ0JpQFJtgEKSwVBBUAFQIAFQAVEBUC"
    "ADwpBhkmAgQAAAAmABwVDBk1AAYQGRgMc3RyaW5nX3ZhbHVlFQAWBhZkFmQm+AUmzAUpLBUEFQAVAgAVABUQFQIAPBYIGQYZJgQCAAAAFqgG"
    "FgYmCBaoBgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGXwcAAAcAAAcAAAcAAAcAAAcAAAcAAAAxwIAAFBBUjE="
)
"""Three rows with the columns of `neptune-exporter`, written by pyarrow."""


def test_an_export_of_neptune_is_reported_with_the_way_to_adopt_it(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"RUN-{number}_part_0.parquet").write_bytes(EXPORTED)
    problems: list[str] = []
    assert [path for path in Walk("/nowhere", problems.append).through(str(tmp_path)) if path] == []
    [said] = problems
    assert said.startswith(f"{tmp_path}: Neptune's export") and "--loader mlflow" in said


def test_other_and_cut_files_are_none(tmp_path: Path) -> None:
    assert is_neptune(io.BytesIO(EXPORTED))
    for data in (
        b"",
        b"PAR1",
        b"PAR1" * 4,
        EXPORTED[:-1],
        EXPORTED.replace(b"attribute_path", b"something_else"),
    ):
        assert not is_neptune(io.BytesIO(data))
