"""Frames for viewers: live feed, replay, preview, clips.

May import execution and the rooms below it.
"""
