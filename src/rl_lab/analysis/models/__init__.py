"""Texts and figures about trained policies: the card, examples, licences; pure functions."""
