"""Tables that leave the lab: one row per point, episode or run, as CSV, JSON or Parquet, written batch by batch.

Pure functions; pyarrow is imported only when a Parquet file is written.
"""
