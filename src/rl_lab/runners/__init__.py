"""Adapters for learning libraries: each is one file or folder, and one line in the registry."""
