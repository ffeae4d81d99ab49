"""What a user asks of a run: create, start, stop, pause, rename, delete, read.

May import execution, ingest, foreign, environments, housekeeping and what all rooms share.
"""
