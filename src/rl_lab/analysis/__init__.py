"""Computes statistics, insights and reports from the events of a run. Pure functions over arrays; no I/O."""
