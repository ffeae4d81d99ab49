"""Neptune's export is recognised without pyarrow, and the answer says how to install it."""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path

import pytest

from rl_lab.analysis.adoption.neptune_files import is_neptune, read_neptune
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


def test_without_pyarrow_the_answer_is_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for number in range(3):
        (tmp_path / f"RUN-{number}_part_0.parquet").write_bytes(EXPORTED)
    problems: list[str] = []
    assert [path for path in Walk("/nowhere", problems.append).through(str(tmp_path)) if path] == []
    assert problems == [
        f"{tmp_path}: Neptune's export in Parquet is read with pyarrow, which is missing. "
        "Install it with: pip install 'rl-lab[parquet]'"
    ]
    with pytest.raises(OSError, match=r"rl-lab\[parquet\]"):
        read_neptune(io.BytesIO(EXPORTED), 0, {"run": "w/p/RUN-1"})


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
