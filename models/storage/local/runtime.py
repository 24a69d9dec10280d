"""Servers' own drives on a layout."""

from __future__ import annotations

from models.storage.described_runtime import described
from models.storage.local.operations import LocalOperations

RUNTIME = described(lambda spec, layout: LocalOperations(spec), files=True)
