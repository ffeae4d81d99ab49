"""Formats of other tools. No pydantic in this file: every command imports it."""

from __future__ import annotations

from typing import Literal

ExportFormat = Literal["minari", "parquet", "trajectories", "hdf5", "npz"]
ImportFormat = Literal["minari", "hdf5", "npz", "parquet", "csv"]
