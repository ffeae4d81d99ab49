"""The guardian: the process that starts one worker, copies its output to the journal and ends its whole process tree.

Imports the standard library only (import-linter checks it), so that it starts fast and outlives the server.
"""
