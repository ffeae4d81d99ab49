"""The confinement matrix: what a confined program tries, one file for each kind of attempt.

Standard library only: it is copied to where the program can read it, and run there.
"""
