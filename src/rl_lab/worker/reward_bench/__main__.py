"""`python -m rl_lab.worker.reward_bench`: simulates and scores recorded episodes."""

from rl_lab.worker.reward_bench.main import main

main()
