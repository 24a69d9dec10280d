"""What a request takes of MinIO's processors, by release: calls to drives and for locks, and the CPU time of each.

The coordinator calls each drive of the object's set, in a goroutine of its own; a drive of another server is an RPC,
for which both ends work, a drive of its own none. How often, was counted in the source at the releases below. Before
RELEASE.2021-04-18 a GET reads metadata twice, and a PUT looks for a parent and for the object, writes two files,
renames them, and clears what is left; since then one call notes an object. A lock is taken and returned at each server.

CPU times are of the two releases that were measured, 2019-07-24 and 2025-10-15 (docs/storage.md); a release between
them has those of the first. So those from RELEASE.2023-12-02 on, whose servers call each other over one connection and
no longer by HTTP, are shown dearer than they are.

Source: minio/minio at RELEASE.2019-07-24, 2021-04-22 and 2025-10-15, `cmd/xl-v1-object.go`, `cmd/erasure-object.go`,
`cmd/erasure-server-pool.go`, `internal/dsync/drwmutex.go`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from models.problem import RefusalError
from models.storage.minio.rules import since
from models.values import value

LOCKS = 2.0
"""Calls for a lock to each server of the set: it is taken, and returned. Source: as above, `drwmutex.go`."""


@value(kw_only=True)
class Calls:
    """What holds from the release `since` on: calls of each drive of a set, and what they take of processors.

    A GET that finds no data in the metadata calls each drive that it reads from once more, and a PUT each that it
    writes to (`file`). CPU times are reference core-seconds: of a request without its drives (`request`), of a call
    to another server, both ends together (`call`), of a drive's server in each call of the drive (`drive`) and besides
    where an object is noted or removed (`note`), and of each shard that a GET opens (`open`).
    """

    since: str
    head: float
    get: float
    put: float
    delete: float
    file: float
    request: float
    call: float
    drive: float
    note: float
    open: float


_FIRST = Calls(
    since="RELEASE.2019-07-05T21-20-21Z",
    head=1.0,
    get=2.0,
    put=6.0,
    delete=5.0,
    file=0.0,
    request=0.22e-3,
    call=0.67e-3,
    drive=0.09e-3,
    note=0.067e-3,
    open=2.3e-3,
)
_AT_ONCE = replace(_FIRST, since="RELEASE.2021-04-18T19-26-29Z", get=1.0, put=1.0, delete=2.0, file=1.0)
_MEASURED = replace(
    _AT_ONCE,
    since="RELEASE.2025-10-15T17-29-55Z",
    put=2.0,
    request=0.43e-3,
    call=0.14e-3,
    drive=0.044e-3,
    note=0.37e-3,
    open=0.0,
)

CALLS = (_FIRST, _AT_ONCE, _MEASURED)
"""What holds by release, the oldest first."""


def calls_of(release: str) -> Calls:
    """Return what a release calls, and what that takes.

    Raises:
        RefusalError: it names no release, or one before the oldest whose rules are known.
    """
    return since(release, CALLS)


def cpu(part: str) -> Any:
    """Return how the default of a CPU time follows from the release that was stated before it."""

    def of_the_release(stated: dict[str, Any]) -> float:
        try:
            return float(getattr(calls_of(stated["release"]), part))
        except (KeyError, RefusalError):
            return 0.0  # who checks the release refuses it

    return of_the_release
