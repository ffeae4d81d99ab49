"""The names of a run's checkpoints. One of a step that is trained again does not replace one that was kept."""

from __future__ import annotations

from rl_lab.core.job_file import Job


class CheckpointNames:
    def __init__(self, job: Job) -> None:
        self._attempt = job.attempt
        files = (job.run_dir / "checkpoints").glob("step-*") if job.resume_from else []
        self._kept = {path.stem for path in files if path.stem > step_name(job.timestep0)}
        """Pinned or named, so not dropped when the run was resumed from an older one."""

    def of(self, timestep: int) -> str:
        name = step_name(timestep)
        return f"{name}-{self._attempt}" if name in self._kept else name


def step_name(timestep: int) -> str:
    return f"step-{timestep:09d}"
