"""An evaluations.npz with impossible arrays is reported as a problem, regardless of numpy's error."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from rl_lab.analysis.adoption.evaluation_files import read_evaluations


@pytest.mark.parametrize(
    "shape", ["(10**0, -1)", "(100000000000000,)", f"({'9' * 30},)", "(True, 2)", "(" * 900]
)
def test_a_wrong_header_is_reported_as_a_problem(shape: str) -> None:
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(16)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("timesteps.npy", array)
        packed.writestr("results.npy", array)
    piece = read_evaluations(file, 0, {})
    assert piece.curves == {}
    assert piece.problems[0].startswith("It cannot be read as arrays")
