"""What is simulated of a copy: all of a small one, and of a large one a part that stands for the rest.

Files of a copy are alike, so what it does after its first seconds it does again and again. Every task keeps an equal
part of its files; where single files are larger than that, of each file so many blocks. What happens once a task or
once a file is spread over the bytes that are simulated, so that the copy moves `scale` times as much as its sample. How
much longer that takes is told by the time in which all slots have work and page caches are full; see `CopyPlan.tail`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from models.jobs.copy import Copy

WAVES = 10
"""Files of a stream that are simulated at least, if it has as many. Assumption: few enough for many streams."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The files of each task that are simulated, `part` of the bytes of each; the copy moves `scale` times as much.

    `start` is the part of a start of a process that is simulated.
    """

    shares: Sequence[Sequence[int]]
    files: int
    part: float = 1.0
    scale: float = 1.0
    start: float = 1.0


def sample(job: Copy, processes: int, blocks: int) -> Sample:
    """Return what is simulated of a copy whose files have as many blocks; `processes` run at once."""
    if job.files * blocks <= job.sample:
        return Sample(job.shares(processes), job.files)
    is_queue = job.tool.deal == "queue"
    streams = min(processes, job.files if is_queue else job.tool.tasks or processes) * job.tool.threads
    most = min(max(job.sample // blocks, WAVES * streams), job.files)
    part = min(max(job.sample // most, 1) / blocks, 1.0)
    shares = job.shares(processes, most)
    files = sum(map(len, shares))
    scale = job.files / files / part
    starts_with_file = is_queue or job.tool.staging is not None
    return Sample(shares, files, part, scale, part if starts_with_file else 1 / scale)


def blocks_of(size: float, block: float) -> int:
    """Return the blocks of a file; rounding adds none."""
    return max(math.ceil(size / block - 1e-9), 1)
