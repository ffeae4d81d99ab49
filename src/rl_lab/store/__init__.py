"""What outlives a process: the lab's database, run folders, and each run's telemetry."""
