"""Trained policies as files: packages, inspection, imports, the Hub.

May import jobs, rendering and environments.
"""
