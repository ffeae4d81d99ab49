"""A file that is larger than the memory of the process is imported, a part at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
from support.waiting import DEADLINE_S

STEPS, WIDTH = 450_000, 256
"""461 MB of observations."""
MEMORY_BYTES = 256 << 20
"""It takes about 210 MB, of any file; how much more depends on how the C library reuses memory."""
IMPORT = """
import resource, sys
from pathlib import Path
from rl_lab.worker.datasets.formats.recognise import open_source
from rl_lab.worker.datasets.intake.taking_in import ImportPlan, take_in
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[3]),) * 2)
source, folder = open_source(Path(sys.argv[1])), Path(sys.argv[2])
print(take_in(source, folder, ImportPlan(label="large"), None, lambda _: None).episodes)
"""


def test_an_import_needs_less_memory_than_its_file_has(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "large.hdf5", "w") as file:
        file["observations"] = np.zeros((STEPS, WIDTH), np.float32)
        file["actions"] = np.zeros((STEPS, 1), np.float32)
        file["rewards"] = np.zeros(STEPS, np.float32)
        file["terminals"] = np.arange(1, STEPS + 1) % 1000 == 0
    size = (tmp_path / "large.hdf5").stat().st_size
    assert size > MEMORY_BYTES
    given = [str(tmp_path / "large.hdf5"), str(tmp_path / "d"), str(MEMORY_BYTES)]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, *given],
        check=False,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(STEPS // 1000)]
