"""Datasets in a worker: read, written, made and checked. Imports other rooms of the worker, never the reverse.

`reading`, `writing` and `spaces` need numpy only, so that the server can read columns too.
"""
