"""The threads of OSDs: which of them are few, and what of an operation holds one.

One thread after the other executes the operations of an OSD, or commits them, in a small part of what they cost. A few
threads, its messengers, take all messages and send all answers: each has some of the connections. They compute while
they do, so that one is held as long as the processors take for its part of an operation. All bytes pass them, too.

What reads waits in its thread until the drive has answered, so that a drive has only so many reads of an OSD at a time,
and a hard drive sorts no more. Writes go on without the thread, and what they take of it has no number of its own.

Assumptions: connections load messengers alike, each the one with fewest; messages and reads find the threads of all
OSDs of a server; bytes and messages have the messengers for themselves each. Not covered: that a placement group has
two of these threads alone, and one operation at a time; the bytes of a large read behind its first access.

Source: ceph/ceph, src/msg/async, Stack.cc (threads of a process, and which a connection gets); src/os/bluestore,
BlueStore.cc (_do_read: aio_submit, aio_wait); src/osd, OSD.cc (get_num_op_threads).
"""

from __future__ import annotations

from models.hardware.cluster import Layout, Node
from models.storage.ceph.bounded import MESSENGERS, READERS
from models.storage.ceph.pool import RadosPool
from models.storage.stages import Compute, Held, Process, Seek, Service, Stage
from models.values import value

THREADS, MESSENGER = "OSD threads", "OSD messenger"


@value()
class OsdThreads:
    """The threads of the OSDs of a server, so many of them on cores of a `speed`, whose drives may be hard drives."""

    spec: RadosPool
    osds: int
    speed: float
    spins: bool = False

    def prepare(self, layout: Layout, node: Node) -> None:
        """Make them, before a run of jobs."""
        layout.service(node, THREADS, self.osds)
        layout.process(node, MESSENGER, self._carried)

    def read(self, at: str, cost: float, times: float, seeks: float) -> tuple[Stage, ...]:
        """Return what so many reads, or stats, take in all of processors and of the drive, for which a thread waits."""
        spec = self.spec
        *passed, computed, alone = self.done(at, cost, times * spec.osd_read_time, spec.messenger_read)
        threads = spec.reads_at_once(spins=self.spins)
        sought = Seek(at, spec.bay, seeks, at_once=threads * spec.osds_per_drive)
        waited = Held(at, READERS, self.osds * threads, (computed, alone, sought), is_brief=True)
        return *passed, waited

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
