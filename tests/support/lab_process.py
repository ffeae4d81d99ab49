"""A lab as a process of its own, to be killed: `python lab_process.py HOME`.

Prints one JSON object a line: {"live": [run ids]} when it has started, then {"acked": [run id, tick id]}
for every tick that was committed before it was told.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from rl_lab.core.runs import LIVE
from rl_lab.orchestrator.bus import metrics_topic
from rl_lab.orchestrator.lab import Lab
from rl_lab.settings import Settings
from rl_lab.store.run_pages import RunFilter


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


async def serve(home: Path) -> None:
    lab = Lab(Settings(home=home, min_free_bytes=0, max_running=8))
    await lab.start()
    page = await lab.queries.list_runs(RunFilter(status=tuple(LIVE)))
    live = [run.id for run in page.items]
    say(live=sorted(live))
    with lab.context.bus.subscribe([metrics_topic(run_id) for run_id in live]) as ticks:
        while True:
            for message in await ticks.take():
                say(acked=[message.topic.split(":")[1], message.cursor])


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
