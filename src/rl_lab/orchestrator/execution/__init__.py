"""From queued to ended: queue, launch, supervision, end reasons, recovery after a restart.

May import ingest, foreign, environments, housekeeping and what all rooms share.
"""
