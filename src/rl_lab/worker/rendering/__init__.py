"""Frames from recordings: the renderer process with its players, re-simulation, videos and thumbnails."""
