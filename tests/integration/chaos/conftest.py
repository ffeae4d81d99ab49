"""The certificates of exact resume have their short form in tests/integration/worker; here is only the long one."""

from __future__ import annotations

import os

collect_ignore = [] if os.environ.get("RL_LAB_CHAOS") == "long" else ["test_certificates.py"]
