"""`wandb` in spawned processes of a script, where W&B is not installed: imports work, every use does nothing.

The main process has the stand-in that reports to the lab; a spawned process starts without it.
"""


class IgnoredUse:
    run = config = None

    def __call__(self, *_args: object, **_named: object) -> "IgnoredUse":
        return self

    def __getattr__(self, name: str) -> "IgnoredUse":
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def __getattr__(name: str) -> IgnoredUse:
    if name.startswith("__"):
        raise AttributeError(name)
    return IgnoredUse()
