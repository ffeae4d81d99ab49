"""`python -m rl_lab.worker JOB.json`."""

import sys

from rl_lab.worker.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv))
