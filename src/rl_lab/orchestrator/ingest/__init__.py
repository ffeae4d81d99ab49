"""Journal to databases: read lines, fold them into state, write lab.db and telemetry.db.

May import only what all rooms share.
"""
