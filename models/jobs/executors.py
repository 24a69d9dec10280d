"""What executors of Spark offer to the rows and records of their tasks: a part of a heap, less what Spark keeps.

Tasks that run share it evenly. Source: Apache Spark, UnifiedMemoryManager and ExecutionMemoryPool.
"""

from __future__ import annotations

import math
from typing import Any

from models.quantity import quantity

RESERVED_MEMORY = 300 * 2.0**20
"""Bytes of an executor that Spark keeps for itself. Source: UnifiedMemoryManager.RESERVED_SYSTEM_MEMORY_BYTES."""

LEAST_OFFERED = 0.889
"""Part of a heap that a Java machine offers at least, all but one of its survivor spaces. Source: web pages of Spark on
Java 8, which show 366.3 MB for an executor of 1 GB and 912.3 MB for one of 2 GB: (0.889 * 1024 - 300) * 0.6 MiB."""

LEAST_HEAP = RESERVED_MEMORY / LEAST_OFFERED
"""Bytes of a heap that leave nothing to rows. By arithmetic."""

LEAST_OVERHEAD, OVERHEAD = 384 * 2.0**20, 0.1
"""Memory of an executor beside its heap: so many bytes, or such a part of the heap if that is more. Source: Apache
Spark, spark.executor.minMemoryOverhead and memoryOverheadFactor."""

EXECUTION_SHARE = 0.6
"""Part of the rest that tasks may fill. Source: Apache Spark, spark.memory.fraction."""


def execution_memory(heap: float, offered: float, share: float = EXECUTION_SHARE) -> float:
    """Return the bytes that the tasks of an executor may fill, of whose heap its Java machine offers a part."""
    return (heap * offered - RESERVED_MEMORY) * share


def container_of(heap: float) -> float:
    """Return the bytes of a container that holds an executor with so large a heap."""
    return heap + max(LEAST_OVERHEAD, OVERHEAD * heap)


def idle_time() -> Any:
    """Return the field of how long an executor without tasks stays, of whatever starts executors."""
    return quantity(
        "s",
        "Time after which an executor without tasks leaves containers that others share "
        "(spark.dynamicAllocation.executorIdleTimeout, 60 s where spark.dynamicAllocation.enabled is set). Default: it "
        "stays to the end of its application.",
        default=None,
        gt=0,
    )


def kept(idle: float | None, *, has_executors: bool) -> float:
    """Return for how long (s) containers without tasks stay with an application; executors do to its end, or `idle`."""
    if not has_executors:
        return 0.0
    return math.inf if idle is None else idle
