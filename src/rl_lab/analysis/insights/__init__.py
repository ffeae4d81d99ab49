"""Detectors: sentences about a run, each with the numbers it is based on."""
