"""Which environments there are, and whether they are deterministic.

May import only what all rooms share.
"""
