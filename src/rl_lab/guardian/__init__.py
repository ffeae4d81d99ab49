"""The guardian: the process that starts one worker, copies its output to the journal and kills its process tree.

Imports only the standard library and `core/bounds.py`. It starts fast and outlives the server.
"""
