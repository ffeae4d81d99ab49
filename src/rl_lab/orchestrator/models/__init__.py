"""Trained policies: the checkpoints of all runs, named models, lineage, comparison, inspection, packages, imports, the
Hugging Face Hub.

May import jobs and the rooms below; of experiments nothing.
"""
