"""TensorBoard event files, read and written with numpy alone: no protobuf, no TensorBoard.

`read_scalars` reads what any writer left (TensorBoard, TensorFlow, torch, tensorboardX), also while the file grows;
`write_scalars`, or `write_head` and `write_columns` one after the other, write files that TensorBoard reads.
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
