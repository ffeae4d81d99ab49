"""The asyncio side of the lab: queue, guardians, ingest, bus, recovery, retention, pre-flight."""
