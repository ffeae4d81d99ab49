"""Adapters to learning libraries: one file or folder each, and one line in the registry."""
