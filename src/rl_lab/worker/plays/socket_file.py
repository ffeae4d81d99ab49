"""Name of a play's socket, in the folder of its attempt; in its files where its worker is confined."""

from __future__ import annotations

from pathlib import Path

from rl_lab.core.job_file import Job

SOCKET_FILE = "play.sock"


def socket_folder(job: Job) -> Path:
    is_confined = job.files_dir != job.run_dir
    return job.files_dir if is_confined else job.run_dir / "attempts" / str(job.attempt)
