"""Trained policies outside their run: packages, named models, imports, the Hugging Face Hub.

May import jobs and the rooms below; of experiments nothing.
"""
