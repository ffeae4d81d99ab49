"""The name under which a file of a run is downloaded."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import OWN_VIDEO
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import Run
from rl_lab.core.words.file_names import file_name, plain


def download_name(run: Run, artifact: Artifact) -> str:
    """The file of a job is named after its training: "Film of PPO on CartPole-v1" is about "PPO on CartPole-v1"."""
    own = PurePosixPath(artifact.path)
    suffix = plain(own.suffix)
    ending = f".{suffix}" if suffix else ""
    if run.kind is RunKind.dataset:
        return f"{plain(own.stem) or 'dataset'}{ending}"  # an export is named after its dataset already
    subject = "" if run.kind is RunKind.train else run.name.partition(" of ")[2]
    what = "evaluation" if own.name == OWN_VIDEO else re.sub("^eval_", "evaluation_", own.stem)
    return file_name(subject or run.name, what, ending)
