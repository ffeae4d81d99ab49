"""Jobs on trained runs: evaluate, fork, duel, film, export.

May import runs, viewing and the rooms below them.
"""
