"""An object store whose targets answer clients, on a layout."""

from __future__ import annotations

from models.storage.described_runtime import described
from models.storage.object_store.operations import DirectOperations

RUNTIME = described(DirectOperations)
