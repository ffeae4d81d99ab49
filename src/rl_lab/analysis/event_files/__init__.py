"""Reads and writes TensorBoard event files with numpy only: no protobuf, no TensorBoard.

`read_scalars` reads files of any writer (TensorBoard, TensorFlow, torch, tensorboardX), even while the file grows.
`write_scalars`, or `write_head` followed by `write_columns`, writes files that TensorBoard can read.
"""

from rl_lab.analysis.event_files.columns import Column
from rl_lab.analysis.event_files.reading import Scalars, is_event_file, read_scalars
from rl_lab.analysis.event_files.writing import write_columns, write_head, write_scalars

__all__ = [
    "Column",
    "Scalars",
    "is_event_file",
    "read_scalars",
    "write_columns",
    "write_head",
    "write_scalars",
]
