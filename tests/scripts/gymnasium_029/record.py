"""Writes down what the scripts beside this file log when they run bare on Gymnasium 0.29.1, for the comparison.

In an interpreter with torch==2.13.0 gymnasium==0.29.1 tyro==1.0.16 tensorboard==2.21.0, once with numpy==1.26.4 and
once with numpy==2.4.6:

    OMP_NUM_THREADS=1 MKL_CBWR=COMPATIBLE ATEN_CPU_CAPABILITY=default python tests/scripts/gymnasium_029/record.py

One thread and the plainest processor instructions, so that other machines reckon the same. Two versions of numpy,
since numpy 2 reckons with single-precision scalars otherwise than numpy 1: on Pendulum the two differ after six digits
on Gymnasium 0.29.1 itself.
"""

import json
import os
import runpy
import sys
import tempfile
from pathlib import Path

import gymnasium
import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

FOLDER = Path(__file__).parent
SCRIPTS = ("ppo_discrete", "ppo_continuous")


def logged_by(script: Path) -> "list[list[object]]":
    """Every scalar as [name, step, value], but for the speed, which is never the same twice."""
    seen = []

    def add_scalar(self: object, tag: str, value: object, step: int) -> None:
        if tag != "charts/SPS":
            seen.append([tag, int(step), float(np.asarray(value).reshape(-1)[0])])

    SummaryWriter.add_scalar = add_scalar
    sys.argv = [str(script)]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        runpy.run_path(str(script), run_name="__main__")
    return seen


if __name__ == "__main__":
    assert gymnasium.__version__ == "0.29.1", gymnasium.__version__
    file = FOLDER.resolve() / "logged.json"
    told = json.loads(file.read_text("utf-8")) if file.exists() else {}
    told[f"numpy {np.__version__}"] = {
        "torch": torch.__version__,
        **{name: logged_by(FOLDER.resolve() / f"{name}.py") for name in SCRIPTS},
    }
    file.write_text(json.dumps(told).replace("], [", "],\n [") + "\n", "utf-8")
