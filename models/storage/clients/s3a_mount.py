"""Objects in a store, read and written through S3A."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.outage import ObjectRepairs
from models.storage.clients.mount import Shares, splits_of
from models.storage.clients.s3a_requests import ABSENT, FOUND
from models.storage.clients.s3a_writer import S3aWriter
from models.storage.contract import ObjectStore, wait
from models.storage.flow import Flow
from models.work import Delay, Step

RANDOM = "short ranges of a client that expects random reads"
"""What limits a stream that is read in order where its client asks for little at a time."""

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class S3aMount:
    """Objects through S3A; `repairs` keep account of them where something may fail.

    `object_size` (B) is that of the objects that hold the input of a job; None: a split each. A GET asks for `asked`
    bytes at most of a split that is read in order, by default for all up to the end of its object, which it leaves.
    """

    overread = 1.0
    write_cpu = 0.0
    keeps_checksums = False

    def __init__(
        self,
        store: ObjectStore,
        writer: S3aWriter,
        shares: Shares,
        object_size: float | None = None,
        repairs: ObjectRepairs | None = None,
        asked: float = math.inf,
    ) -> None:
        self._store, self._writer, self.shares, self.repairs = store, writer, shares, repairs
        self._asked, self._in_turn, self._at_once = asked, dict[Flow, Flow](), dict[Flow, Flow]()
        self._size = writer.split_size if object_size is None else object_size
        self._splits = splits_of(self._size, writer.split_size)  # of an object
        self._split = self._size / self._splits

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self._writer.split_size

    def streamed(self, size: float) -> float:
        """Return the bytes (B) of a block of S3A, as which an object is read."""
        return self._writer.split_size

    @property
    def wait(self) -> float:
        """Mean seconds from asking for a range to its first byte."""
        return self._store.request_time

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes: of the objects that hold them."""
        if self.repairs is None:
            return
        for name in range(math.ceil(splits / self._splits)):
            self.repairs.hold(name, size * min(self._splits, splits - name * self._splits))

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return None: objects are equally far from all."""
        return None

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits: a range of its object."""
        name, before = divmod(split, self._splits)
        size = min(self._split, self._asked)
        flow = self._store.read(name, node, access, stream=before, ahead=float(before), size=size)
        return flow if size == self._split else self._asked_anew(flow)

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie."""
        return max(round(data / self._size), 1)

    def fetch(self, place: int, places: int, node: Node, size: float, file: float | None = None) -> Flow:
        """Return the flow of ranges of `size` bytes of one of `places` objects, over one connection."""
        flow = self._store.read(place % places, node, size=size)
        again = flow.again
        if again is not None:
            return replace(flow, latency=0.0, again=lambda: replace(again(), latency=0.0))
        if flow not in self._at_once:
            self._at_once[flow] = replace(flow, latency=0.0)
        return self._at_once[flow]

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges that lie anywhere."""
        return self._store.average(node, size)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file and committing the task."""
        self._hold_output(file, amount)
        return self._writer.write(file, node, amount, own)

    def create(self, file: int, node: Node, amount: float, own: Flow, *, is_renamed: bool) -> Step:
        """Return the step of writing a file that a program creates itself."""
        self._hold_output(file, amount)
        return self._writer.create(file, node, amount, own, is_renamed=is_renamed)

    def names(self, lookups: int, changes: int, size: float | None) -> Step | None:
        """Return the wait for lookups of names; what changes names is a part of what is read and written.

        Those of a new file are not there yet, which takes a listing besides.
        """
        asked = FOUND if size is None else ABSENT
        return Delay(lookups * wait(self._store, asked)) if lookups else None

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits the job."""
        return self._writer.commit(files, amount, node)

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests of a job by kind: it reads `splits` and writes `files` of `amount` bytes in all."""
        again = math.ceil(self._split / min(self._split, self._asked) - 1e-9) - 1
        return self._writer.requests(splits, files, amount) + Counter({"GET": splits * again} if again else {})

    def _asked_anew(self, flow: Flow) -> Flow:
        """Return the flow of a split of which one range is asked for after the other, made once for those alike."""
        again = flow.again
        if again is None and (known := self._in_turn.get(flow)) is not None:
            return known
        rate = self._asked / (self._store.request_time + self._asked / flow.max_rate)
        other = None if again is None else lambda: self._asked_anew(again())
        made = replace(flow, max_rate=rate, cap=RANDOM, again=other)
        if again is None:
            self._in_turn[flow] = made
        return made

    def _hold_output(self, file: int, amount: float) -> None:
        if self.repairs is not None:
            self.repairs.hold(file, amount, is_output=True)
