"""Other tools' formats of datasets, one per file: Minari, HDF5, NPZ, Parquet, CSV, and the replay buffers of runs.

Readers give rows in the lab's own layout, a part at a time; nothing is unpickled, nothing is read whole.
"""
