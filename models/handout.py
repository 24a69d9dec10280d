"""How a cluster hands out containers: at heartbeats of nodes, of which each brings few to tasks without data there.

One more is that of the master of a job, which holds it to the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from models.values import value

HANDED = "containers that heartbeats bring"
"""Name of the limit of tasks that heartbeats keep from slots that are free."""

ROUNDING = 1e-9
"""What rounding may add to containers, and to parts that make a whole. Assumption: far below one."""


@value()
class Handout:
    """Containers that come at heartbeats of `nodes`, one of each in `interval` s.

    A heartbeat fills its node with tasks that find their data there, until `off_switch` others have come, or `most` in
    all. Tasks that wish for places are let wait for them: on any other node only after more than `delay` heartbeats of
    nodes with room. A negative delay is none: tasks go to any node, but first to those that they wish for.
    """

    interval: float
    off_switch: int
    nodes: int
    delay: int
    most: float = math.inf

    def missed(self, waiting: float, wishes: int, *, has_rack: bool) -> float:
        """Return the heartbeats without a container after which one goes to a node that no task wishes for.

        So many tasks wait, which wish for so many places in all. One goes to a rack of theirs after `delay`, and
        anywhere after one for each task, less where they wish for fewer places than there are nodes.
        Source: Apache Hadoop, RegularContainerAllocator.canAssign.
        """
        anywhere = min(waiting * min(wishes / self.nodes, 1.0), self.nodes)
        return math.floor(min(anywhere, self.delay) if has_rack else anywhere) + 1


def wishes(preferred: object | None, nodes: int) -> int:
    """Return how many places tasks wish for that read files: `nodes` and a rack, or a host that is none and its rack.

    Source: Apache Hadoop, FileSystem.getFileBlockLocations, which is "localhost" for all files but those of HDFS.
    """
    return 2 if preferred is None else nodes + 1


@value()
class Master:
    """The container in which the master of a job stands, on one server, until the job has ended.

    On each node it takes such a `part` of what the job's containers have there, 0 where memory beside them holds it and
    above 1 where it has no place; of their memory it is the part `memory`, and the smallest container is `step` of it.
    """

    parts: Sequence[float]
    memory: float
    step: float

    def place(self, slots: Sequence[int]) -> int | None:
        """Return the first node where it finds room among so many containers of its job, None where none has any."""
        rooms = enumerate(zip(self.parts, slots, strict=True))
        return next((node for node, (part, many) in rooms if many and part <= 1), None)

    def beside(self, slots: Sequence[int]) -> list[int]:
        """Return the containers of each node that it leaves to tasks."""
        node, left = self.place(slots), list(slots)
        if node is not None:
            left[node] = math.floor(slots[node] * (1 - self.parts[node]) + ROUNDING)
        return left
