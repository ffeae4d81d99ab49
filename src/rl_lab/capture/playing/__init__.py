"""Plays a script's checkpoint with the script's own classes, without running its training.

Imports the standard library, and torch and Gymnasium of the script's own Python.
"""
