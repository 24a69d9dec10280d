"""The threads of OSDs: which of them are few, and what of an operation holds one.

One thread after the other executes the operations of an OSD, or commits them, in a small part of what they cost. A few
threads, its messengers, take all messages and send all answers: each has some of the connections. They compute while
they do, so that one is held as long as the processors take for its part of an operation. All bytes pass them, too.

Assumptions: connections load messengers alike, each the one with fewest; messages find those of all OSDs of a server;
bytes and messages have the messengers for themselves each.

Source: ceph/ceph, src/msg/async, Stack.cc (threads of a process, and which a connection gets).
"""

from __future__ import annotations

from models.hardware.cluster import Layout, Node
from models.storage.ceph.bounded import MESSENGERS
from models.storage.ceph.pool import RadosPool
from models.storage.stages import Compute, Held, Process, Service, Stage
from models.values import value

THREADS, MESSENGER = "OSD threads", "OSD messenger"


@value()
class OsdThreads:
    """The threads of the OSDs of a server, so many of them on cores of a `speed`."""

    spec: RadosPool
    osds: int
    speed: float

    def prepare(self, layout: Layout, node: Node) -> None:
        """Make them, before a run of jobs."""
        layout.service(node, THREADS, self.osds)
        layout.process(node, MESSENGER, self._carried)

    def done(self, at: str, cost: float, alone: float, sent: float) -> tuple[Stage, ...]:
        """Return what an operation takes of processors, of messengers the part that is `sent`, and of threads alone."""
        executed = Compute(at, cost * (1 - sent)), Service(at, THREADS, self.osds, alone)
        if sent == 0:
            return executed
        passed = Compute(at, cost * sent)
        return Held(at, MESSENGERS, self.osds * self.spec.osd_messenger_threads, (passed,), is_brief=True), *executed

    def carried(self, at: str, times: float) -> Process:
        """Return how each byte passes messengers, on the way in and out so many times."""
        return Process(at, MESSENGER, self._carried, times)

    @property
    def _carried(self) -> float:
        """Bytes a second that the messengers of a server carry."""
        return self.osds * self.spec.osd_messenger_threads * self.speed / self.spec.messenger_cpu
