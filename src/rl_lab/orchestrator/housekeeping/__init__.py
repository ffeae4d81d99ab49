"""Disk space: retention, archives, deletion, quota, manifests.

May import only what all rooms share.
"""
