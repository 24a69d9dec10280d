"""How fast MinIO rebuilds a drive: objects at a time, and pauses while requests are in flight, by release.

A worker rebuilds object after object. After each it waits while the server has `max_io` requests or more in flight, for
`max_sleep` at the most; an idle cluster is not paused. Before RELEASE.2023-09-16 one object of a drive is rebuilt at a
time, since then one by each fourth of a server's logical processors, four at least.

Source: minio/minio at the release tags below, `cmd/background-heal-ops.go` (healRoutine.run, waitForLowHTTPReq),
`internal/config/heal/heal.go` (DefaultKVS, Wait), `cmd/global-heal.go` (healErasureSet). Assumption: the queue of a
drive (nr_requests) is longer than the server has processors; with a shorter one there are fewer workers. Not covered:
what held from RELEASE.2020-08-25 to 2020-12-03, the pace of the scanner, a deep scan (`heal bitrotscan=on`).
"""

from __future__ import annotations

from dataclasses import replace

from models.quantity import Model, Quantity, quantity, setting
from models.storage.minio.rules import since
from models.values import value

LEAST_WORKERS, PROCESSORS = 4, 4
"""Workers of a drive at least, and processors to a worker. Source: as above, healErasureSet."""


class Heal(Model):
    """How the rebuild of a drive is throttled, under the names of `mc admin config set ALIAS heal`."""

    drive_workers: int | None = setting(
        "Objects of a drive that are rebuilt at a time (heal drive_workers); default: the release's.",
        default=None,
        ge=1,
    )
    max_io: int | None = setting(
        "Requests in flight on a server from which a rebuild pauses (heal max_io), 0: never; default: the release's.",
        default=None,
        ge=0,
    )
    max_sleep: Quantity | None = quantity(
        "s", "Longest pause after each object (heal max_sleep); default: the release's.", default=None, ge=0
    )

    def workers(self, release: str, processors: int) -> int:
        """Return the objects of a drive that are rebuilt at a time on a server of so many logical processors."""
        if self.drive_workers is not None:
            return self.drive_workers
        return max(LEAST_WORKERS, processors // PROCESSORS) if since(release, THROTTLES).is_parallel else 1

    def pause(self, release: str, in_flight: float) -> float:
        """Return the seconds that a worker waits after each object while a server has requests in flight."""
        throttle = since(release, THROTTLES)
        max_io = throttle.max_io if self.max_io is None else self.max_io
        if not max_io or in_flight < max_io:
            return 0.0
        return throttle.max_sleep if self.max_sleep is None else self.max_sleep


@value(kw_only=True)
class Throttle:
    """The defaults that hold from the release `since` on; `is_parallel`: a drive has several workers."""

    since: str
    max_io: int
    max_sleep: float
    is_parallel: bool = False


_FIRST = Throttle(since="RELEASE.2019-07-05T21-20-21Z", max_io=3, max_sleep=60.0)
_TUNED = Throttle(since="RELEASE.2020-12-03T00-03-10Z", max_io=10, max_sleep=1.0)
_RAISED = replace(_TUNED, since="RELEASE.2021-08-31T05-46-54Z", max_io=100)
_SHORTER = replace(_RAISED, since="RELEASE.2023-08-09T23-30-22Z", max_sleep=0.25)
_PARALLEL = replace(_SHORTER, since="RELEASE.2023-09-16T01-01-47Z", is_parallel=True)

THROTTLES = (_FIRST, _TUNED, _RAISED, _SHORTER, _PARALLEL)
"""The defaults, each with the first release that has them, the oldest first."""
