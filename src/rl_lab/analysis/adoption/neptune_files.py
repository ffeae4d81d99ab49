"""Neptune's export in Parquet: recognised by its columns; the lab reports how to adopt what it holds."""

from __future__ import annotations

from typing import BinaryIO

MAGIC = b"PAR1"
COLUMNS = (b"attribute_path", b"attribute_type", b"run_id")
MAX_FOOTER_BYTES = 4 << 20
SUFFIX = ".parquet"
ADVICE = (
    "Neptune's export in Parquet is not read. Load it into MLflow with `neptune-exporter load --loader mlflow "
    "--mlflow-tracking-uri ./mlruns`, then adopt the folder mlruns."
)


def is_neptune(file: BinaryIO) -> bool:
    """Whether the names of Neptune's columns are in the footer, which ends with its length and a mark."""
    if file.read(len(MAGIC)) != MAGIC:
        return False
    size = file.seek(0, 2)
    file.seek(max(0, size - 8))
    end = file.read(8)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != MAGIC or length > min(MAX_FOOTER_BYTES, size - 12):
        return False
    file.seek(size - 8 - length)
    footer = file.read(length)
    return all(name in footer for name in COLUMNS)
