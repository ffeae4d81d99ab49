"""Runs a script without the lab and prints the Gymnasium it ran on and every number it logged, as JSON.

python log_bare.py SCRIPT
"""

import json
import runpy
import sys

import gymnasium
import numpy as np
from torch.utils.tensorboard import SummaryWriter


def logged_by(script: str) -> "list[list[object]]":
    """Every scalar as [name, step, value], but for the speed, which is never the same twice."""
    seen = []

    def add_scalar(self: object, tag: str, value: object, step: int) -> None:
        if tag != "charts/SPS":
            seen.append([tag, int(step), float(np.asarray(value).reshape(-1)[0])])

    SummaryWriter.add_scalar = add_scalar
    sys.argv = [script]
    runpy.run_path(script, run_name="__main__")
    return seen


if __name__ == "__main__":
    print(json.dumps({"gymnasium": gymnasium.__version__, "logged": logged_by(sys.argv[1])}))
