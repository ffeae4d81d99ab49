"""`wandb` in processes a script spawned, where W&B is not installed: imports work, every use does nothing.

The script's first process has the stand-in that reports to the lab; a spawned one begins without it.
"""


class Nothing:
    run = config = None

    def __call__(self, *_args: object, **_named: object) -> "Nothing":
        return self

    def __getattr__(self, name: str) -> "Nothing":
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def __getattr__(name: str) -> Nothing:
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing()
