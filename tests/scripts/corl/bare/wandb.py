"""Made by hand for the tests: nothing is logged."""

from types import SimpleNamespace

run = SimpleNamespace(save=lambda: None)


def init(**_given):
    pass


def log(*_given, **_named):
    pass
