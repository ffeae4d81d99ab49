"""`python -m rl_lab.worker.rendering`: renders frames for viewers."""

from rl_lab.worker.rendering.main import main

main()
