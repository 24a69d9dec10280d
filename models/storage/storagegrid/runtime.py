"""StorageGRID on a layout."""

from __future__ import annotations

from models.storage.described_runtime import described
from models.storage.storagegrid.operations import StorageGridOperations

RUNTIME = described(lambda spec, layout: StorageGridOperations(spec))
