"""Persistent data: the lab's database, run folders, and the telemetry.db of each run."""
