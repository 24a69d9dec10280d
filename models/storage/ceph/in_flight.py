"""What one who asks OSDs may have asked of them at a time, and how long each object of a request counts in it.

To send a further operation, one for each object of a request, who asks waits for answers. What an object counts as is
free again when its own OSDs have answered, whatever the others do.

Source: ceph/ceph, src/osdc/Objecter.cc (_throttle_op, calc_op_budget; librados sets a balanced budget).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from models.storage.ceph.bounded import IN_FLIGHT
from models.storage.stages import Held, Lanes, Stage, Stream
from models.units import format


@dataclass(frozen=True, slots=True)
class Askers:
    """Processes of a server that ask OSDs, each for so many bytes (B) and operations at a time.

    Operations that are not counted here (`are_counted`) are bounded elsewhere.
    """

    at: str
    processes: int
    bytes: float
    operations: int
    are_counted: bool = True

    def asked(self, counted: float, objects: int, object_size: float, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Return what OSDs do for a request that counts as so many bytes (B) of objects of `object_size` (B).

        Parts of an upload that are sent at a time have objects of their own.
        """
        if objects == 1:
            return self._held(counted, stages)
        own = self._held(min(counted / objects, object_size), tuple(of_an_object(stages, objects)))
        return (Lanes(own, objects, 1 / objects, counts_on=True, part=object_size),)

    def _held(self, counted: float, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Return what OSDs do for an operation that counts as so many bytes (B)."""
        of_bytes = max(int(self.processes * self.bytes / max(counted, 1.0)), self.processes)
        most = self.processes * self.operations
        if of_bytes >= most and not self.are_counted:
            return stages
        slots = min(of_bytes, most)
        return (Held(self.at, f"{IN_FLIGHT}, {format(counted, 'B')} each", slots, stages, is_brief=True),)


def of_an_object(stages: tuple[Stage, ...], objects: int) -> Iterator[Stage]:
    """Yield what stages do for one of so many objects, which they have side by side in lanes of their own."""
    for stage in stages:
        match stage:
            case Stream(inside):
                yield from of_an_object(inside, objects)
            case Lanes(inside, count) if count == objects:
                yield from inside
            case Lanes(_, count, share):
                yield replace(stage, count=count // objects, share=min(share * objects, 1.0), counts_on=True)
            case _:
                yield stage
