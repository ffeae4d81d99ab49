"""Experiments: studies and their runs, packs. Questions about many runs; one run is the business of `runs`.

May import every other room.
"""
