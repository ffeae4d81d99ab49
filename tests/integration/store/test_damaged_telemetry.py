"""Telemetry that is damaged is read anew from the journal; what only the text file still holds stays."""

from __future__ import annotations

from pathlib import Path

from rl_lab.guardian.files import Launch
from rl_lab.orchestrator.ingest.journal_tail import Tail
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.files.folders import RunFolder


def follow(folder: RunFolder, attempt: int, value: int) -> Tail:
    """One line of an attempt, read."""
    place = AttemptFolder(folder.path, attempt)
    place.prepare({}, Launch(argv=["true"]))
    line = f'{{"type":"metric","values":{{"loss":{value}}}}}\n'
    (place.journal / "000001.jsonl").write_text(line)
    tail = Tail(
        folder, place, timestep0=0, total_timesteps=10, steps_per_second=10, recording_budget_bytes=1 << 20
    )
    assert tail.advance(lambda *_: None)
    return tail


def test_the_lines_of_earlier_attempts_outlive_a_damaged_database(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "1h5w2k0p7q3x")
    folder.create()
    follow(folder, 1, 111).close()
    tail = follow(folder, 2, 222)
    tail.begin_again()
    assert tail.advance(lambda *_: None)
    tail.close()
    assert b"222" in folder.metrics_jsonl.read_bytes()
    kept = b"".join(path.read_bytes() for path in folder.path.glob("*metrics.jsonl"))
    assert b"111" in kept
