"""Two tests are too long for every day: certificates of exact resume, and kills at every instant of a resume.

Their short forms are in tests/integration/worker and tests/integration/orchestrator/execution.
"""

from __future__ import annotations

import os

LONG = ["test_certificates.py", "test_resumes.py"]
collect_ignore = [] if os.environ.get("RL_LAB_CHAOS") == "long" else LONG
