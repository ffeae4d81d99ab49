"""Examples of the lines that jobs leave in the event log of their training: at the start, and with a result."""

from __future__ import annotations

JOB_EXAMPLES = {
    "evaluation": (
        "Evaluation started: 5 episodes.",
        "Evaluation complete: return 487.2 ± 12.1 over 5 episodes.",
    ),
    "fork": ("Fork of episode 12 at step 80 started.", "Fork complete: return 210.0 after 210 steps."),
    "duel": ("Duel of 2 on 10 seeds started.", "Duel complete. Wins: PPO 7, DQN 3."),
    "film": ("Film started.", "Film complete: 4 scenes."),
    "verification": (
        "Verification started: it is trained again up to step 20,480.",
        "Identical: 212 episodes, 120 values of metrics, the weights up to step 20,480.",
    ),
    "dataset": ("Making lander started.", "lander@v1: 100 episodes with 21,400 steps."),
    "certification": (
        "Certification started: 20,000 steps unbroken, and 3 times broken and resumed.",
        "Identical: broken and resumed 3 times, 640 episodes, 360 values of metrics, 96 tensors of 12 checkpoints "
        "are the same up to step 20,000.",
    ),
    "play": ("Taken over at step 80 of episode 12.", "Play complete: 3 episodes, best return 210.0."),
}
