"""Plays: how one is prepared, the way from its player to its worker, keys of environments, high scores.

May import the rooms `jobs`, `runs`, `viewing` and below.
"""
