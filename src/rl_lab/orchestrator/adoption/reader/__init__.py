"""The Adopter: a process beside the lab that reads folders other tools filled, once or as they grow.

It alone walks, reads and writes the telemetry.db of adopted runs; the lab writes lab.db from what it is told.
"""
