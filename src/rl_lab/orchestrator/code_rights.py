"""What the process of user code may use: the lab's own Python to import from, little memory, and nothing to write."""

from __future__ import annotations

from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.looking import looking_rights
from rl_lab.settings import Settings

MEMORY_BYTES = 2 << 30
PROCESSES = 4


def code_rights(settings: Settings) -> Confinement:
    """Starts a process when it is called for the first time, so call it on a thread."""
    return looking_rights(settings)._replace(
        memory_bytes=MEMORY_BYTES, resident_bytes=0, processes=PROCESSES, own_environments=""
    )
