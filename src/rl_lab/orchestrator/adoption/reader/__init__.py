"""The reading process of adoptions: reads folders that other tools filled, once or as they grow.

It alone walks, reads and writes the telemetry.db of adopted runs; the lab writes lab.db from its reports.
"""
