"""What a StorageGRID does for a request: one description, which runs of jobs and of requests share.

A gateway hands a request to a worker slot of a storage node, which asks the index. A GET seeks once and reads from a
drive, or from fragments side by side; what lies on another node crosses to the one that answers, and from it the bytes
pass the gateway to the client. A PUT is written to all copies, or fragments, before it is acknowledged.

With compression a node spends `compression_cpu` on every byte, one core a request, and reads a range from the start of
its object.

Roles: the "client", the "gateway", the "node" that serves the request, and the "holder" of each copy or fragment.
Assumption: the index takes as long to note an object as to look it up.

Source: NetApp, How to enable StorageGRID in your environment, 22 April 2024: data compression, multipart upload.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from models.requests import FirstByte
from models.storage.operation import Compute, Held, Lanes, Move, Operation, Read, Seek, Service, Stage, Stream, Write
from models.storage.storagegrid.system import StorageGrid

WORKERS, INDEX = "request workers", "metadata index"


def fragments(spec: StorageGrid, size: float) -> int:
    """Return from how many holders a GET of `size` bytes reads: from one, unless it spans several fragments."""
    if spec.protection == "copies":
        return 1
    stripes = size / spec.fragment_stripe
    return spec.data_fragments if stripes >= spec.data_fragments else max(math.ceil(stripes), 1)


def bytes_ahead(spec: StorageGrid, size: float, object_size: float) -> float:
    """Return how many times its bytes lie on average before a range of an object: those that are read as well."""
    return max(object_size - size, 0.0) / 2 / size if spec.compression and size > 0 else 0.0


def get(
    spec: StorageGrid, size: float, lanes: tuple[int, float], reads: Mapping[str, float], ahead: float = 0.0
) -> Operation:
    """Return a GET of `size` bytes from so many holders, each of which sends a share of them.

    `reads` says which part of the bytes comes from which bay. Before the range lie `ahead` times as many bytes of its
    object, which matter to compressed objects.
    """
    way_out = (FirstByte(), Move("node", "gateway"), Move("gateway", "client"))
    bytes_out = Stream((*_read(spec, lanes, reads, ahead), *way_out))
    return _served(spec, (asked(spec), _sought(lanes[0], reads), bytes_out), size)


def put(spec: StorageGrid, size: float, lanes: tuple[int, float]) -> Operation:
    """Return a PUT of `size` bytes, also of one part of a multipart upload, to so many holders of a share each."""
    bytes_in = Stream((Move("client", "gateway"), Move("gateway", "node"), *_write(spec, lanes, "holder")))
    return _served(spec, (_sought(lanes[0], {spec.bay: 1.0}), bytes_in, asked(spec)), size)


def copy(spec: StorageGrid, read: tuple[int, float], written: tuple[int, float]) -> Operation:
    """Return a COPY: the node reads the object from its holders and writes it to those of the "copy"."""
    reads = sources(spec)
    stages = (
        asked(spec, 2),
        _sought(read[0], reads),
        _sought(written[0], {spec.bay: 1.0}, "copy"),
        Stream((*_read(spec, read, reads, 0.0), *_write(spec, written, "copy"))),
    )
    return _served(spec, stages)


def lookup(spec: StorageGrid, times: int = 1) -> Operation:
    """Return a request that the index alone answers, looking up or noting so many objects."""
    return _served(spec, (asked(spec, times),))


def list_page(spec: StorageGrid) -> Operation:
    """Return a page of a listing."""
    return _served(spec, (Service("node", INDEX, spec.index_threads, spec.list_cpu, spec.index_spread),))


def sources(spec: StorageGrid) -> dict[str, float]:
    """Return the bays that GETs read from, and the part of them that each serves on average."""
    reads = {spec.bay: 1 - spec.cached_reads, spec.cache_bay: spec.cached_reads}
    return {bay: share for bay, share in reads.items() if bay is not None and share > 0}


def _served(spec: StorageGrid, stages: tuple[Stage, ...], size: float = 0.0) -> Operation:
    return Operation((Compute("gateway", spec.gateway_cpu), Held("node", WORKERS, spec.workers, stages)), size)


def asked(spec: StorageGrid, times: int = 1) -> Service:
    """Return what the index works to look up or note so many objects."""
    return Service("node", INDEX, spec.index_threads, spec.lookup_cpu * times, spec.index_spread)


def _sought(lanes: int, bays: Mapping[str, float], at: str = "holder") -> Lanes:
    return Lanes(tuple(Seek(at, bay, share) for bay, share in bays.items()), lanes)


def _read(spec: StorageGrid, lanes: tuple[int, float], reads: Mapping[str, float], ahead: float) -> tuple[Stage, ...]:
    """Return how bytes come from their holders to the node that answers."""
    through = 1 + ahead if spec.compression else 1.0
    drives = tuple(Read("holder", bay, share * through) for bay, share in reads.items())
    return Lanes((*drives, Move("holder", "node")), *lanes), *_compressed(spec, through)


def _write(spec: StorageGrid, lanes: tuple[int, float], at: str) -> tuple[Stage, ...]:
    """Return how bytes go from the node that received them to their holders."""
    return *_compressed(spec, 1.0), Lanes((Move("node", at), Write(at, spec.bay)), *lanes)


def _compressed(spec: StorageGrid, through: float) -> tuple[Stage, ...]:
    return (Compute("node", per_byte=spec.compression_cpu * through),) if spec.compression else ()
