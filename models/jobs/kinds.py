"""All workloads, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias, get_args

from models.alternatives import Alternatives
from models.jobs.bulk_io import BulkIo
from models.jobs.copy import Copy
from models.jobs.event_loop import EventLoop
from models.jobs.lakehouse import Lakehouse
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.jobs.observed import Observed
from models.jobs.scan import Scan
from models.jobs.schedule import Scheduled, scheduled
from models.jobs.spark import Spark
from models.jobs.storing import Storing

Workload = Annotated[
    MapReduce
    | EventLoop
    | Copy
    | BulkIo
    | Scan
    | Spark
    | Observed
    | Lakehouse
    | ObjectLoad
    | Storing,
    Alternatives("kind"),
]  # fmt: skip

Entry: TypeAlias = Scheduled
"""A workload of any kind with a schedule: one class a kind, made when a profile states one."""
if not TYPE_CHECKING:
    Entry = Annotated[get_args(Workload)[0], Alternatives("kind", made=scheduled)]
