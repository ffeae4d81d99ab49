"""`python -m rl_lab.guardian FOLDER`: owns one attempt of a run."""

import sys

from rl_lab.guardian.main import main

sys.exit(main(sys.argv))
