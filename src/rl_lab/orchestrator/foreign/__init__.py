"""Other people's programs: previewed, approved, confined, run in their own Python.

May import only what all rooms share.
"""
