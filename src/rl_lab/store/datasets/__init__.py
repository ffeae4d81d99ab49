"""Datasets and their versions in the database."""
