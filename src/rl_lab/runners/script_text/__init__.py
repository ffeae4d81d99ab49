"""Arguments of other people's training scripts, parsed from their text: names, types, defaults, descriptions.

Nothing of a script is imported or executed. Used by the runners whose algorithms are scripts of a checkout.
"""
