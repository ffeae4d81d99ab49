"""What a process tree has used: memory of all its processes, and processor time of those that have exited."""

from __future__ import annotations

import os
import resource
from types import SimpleNamespace
from typing import Any

from rl_lab.guardian.resource_use import ResourceUse, tree_memory


def test_the_memory_of_this_process_is_measured_and_shared_pages_count_once() -> None:
    alone = tree_memory([os.getpid()])
    assert alone > 1 << 20
    assert alone <= tree_memory([os.getpid(), os.getpid()]) < 2 * alone


def test_a_process_that_has_gone_uses_nothing() -> None:
    assert tree_memory([2**22 + 1]) == 0


def test_the_peak_is_the_largest_and_processor_times_add_up() -> None:
    use = ResourceUse()
    for seconds, kilobytes in ((1.5, 300), (0.5, 200)):
        usage: Any = SimpleNamespace(ru_utime=seconds, ru_stime=0.25, ru_maxrss=kilobytes)
        use.add(usage)
    assert use.cpu_s == 2.5
    assert use.peak_memory == 300 * 1024
    use.add(resource.getrusage(resource.RUSAGE_SELF))
    assert use.peak_memory > 1 << 20
