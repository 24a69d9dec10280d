"""All workloads, a line each."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from models.jobs.bulk_io import BulkIo
from models.jobs.copy import Copy
from models.jobs.event_loop import EventLoop
from models.jobs.lakehouse import Lakehouse
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.jobs.scan import Scan
from models.jobs.spark import Spark
from models.jobs.storing import Storing

Workload = Annotated[
    MapReduce
    | EventLoop
    | Copy
    | BulkIo
    | Scan
    | Spark
    | Lakehouse
    | ObjectLoad
    | Storing,
    Field(discriminator="kind"),
]  # fmt: skip
