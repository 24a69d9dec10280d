"""The client side of a mounted file system: what it moves and spends beyond what a job asks for."""

from __future__ import annotations

from typing import Literal

from models.quantity import Model, Quantity, quantity, setting


class PosixClient(Model):
    """A mounted file system (FUSE, Lustre, GPFS, AFS) as a job sees it."""

    connector: Literal["posix"] = setting("Client library.")
    overread: float = setting(
        "Bytes moved per byte that a job asks for: read-ahead, prefetch, whole chunks.", default=1.0, ge=1
    )
    stream_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte that the client moves (FUSE, JVM, checksums).", default=0.0, ge=0
    )
    latency: Quantity = quantity("s", "Time of a read without its bytes.", default=0.0, ge=0)
