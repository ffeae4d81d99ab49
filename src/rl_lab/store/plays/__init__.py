"""Plays in lab.db: episodes for the high scores, and the keys that a user has chosen."""
