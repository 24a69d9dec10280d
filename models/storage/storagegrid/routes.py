"""StorageGRID, request by request: its operations for a load of requests, and the restore of lost nodes beside it.

A recovered node serves requests and takes writes, but holds nothing until its objects are restored, `rebuilt_objects`
at a time, each from another node or from k of them.

Not covered: information lifecycle rules, several sites, the copy that follows a PUT in the background, CPU time of
decoding fragments, the index that a recovered node builds again.
"""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.storage.described_chances import NOTHING_LOST, Lost
from models.storage.described_routes import DescribedRoutes
from models.storage.object_routes import Ends
from models.storage.storagegrid.operations import StorageGridOperations
from models.storage.storagegrid.system import StorageGrid


class StorageGridRoutes(DescribedRoutes):
    """The routes of StorageGRID on a layout for clients at the other end."""

    def __init__(self, spec: StorageGrid, layout: Layout, ends: Ends, lost: Lost = NOTHING_LOST) -> None:
        super().__init__(StorageGridOperations(spec), layout, ends, lost)
