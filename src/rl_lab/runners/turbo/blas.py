"""Limits BLAS to one thread: for small networks a second one is slower, and it changes the rounding of sums."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy

VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
SETTERS = ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads", "openblas_set_num_threads")


def use_one_thread() -> None:
    """Works even if numpy is already loaded, because numpy's wheels contain their own OpenBLAS."""
    for variable in VARIABLES:
        os.environ.setdefault(variable, "1")
    for library in (Path(numpy.__file__).parent.parent / "numpy.libs").glob("*openblas*"):
        loaded = ctypes.CDLL(str(library))
        for name in SETTERS:
            if hasattr(loaded, name):
                getattr(loaded, name)(1)
