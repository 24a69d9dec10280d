"""What executors of Spark offer to the rows and records of their tasks: a part of a heap, less what Spark keeps.

Tasks that run share it evenly. Source: Apache Spark, UnifiedMemoryManager and ExecutionMemoryPool.
"""

from __future__ import annotations

RESERVED_MEMORY = 300 * 2.0**20
"""Bytes of an executor that Spark keeps for itself. Source: UnifiedMemoryManager.RESERVED_SYSTEM_MEMORY_BYTES."""

HEAP_SHARE = 0.889
"""Part of a heap that the Java machine offers, all but one of its survivor spaces. Source: Spark's web pages, which
show 366.3 MB for an executor of 1 GB and 912.3 MB for one of 2 GB: (0.889 * 1024 - 300) * 0.6 MiB."""

LEAST_HEAP = RESERVED_MEMORY / HEAP_SHARE
"""Bytes of a heap that leave nothing to rows. By arithmetic."""

EXECUTION_SHARE = 0.6
"""Part of the rest that tasks may fill. Source: Apache Spark, spark.memory.fraction."""


def execution_memory(heap: float, share: float = EXECUTION_SHARE) -> float:
    """Return the bytes that the tasks of an executor with so large a heap may fill together."""
    return (heap * HEAP_SHARE - RESERVED_MEMORY) * share
