"""Folders of other tools as runs; `reader/` is the process that reads them.

May import runs, viewing and the rooms below them.
"""
