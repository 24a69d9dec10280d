"""How bytes outlive a failure: copies of all of them, or pieces of a code of which some can be done without."""

from __future__ import annotations

from models.values import value


@value()
class Replicas:
    """`count` copies, each of which holds all bytes."""

    count: int

    @property
    def pieces(self) -> int:
        """Pieces that lie apart."""
        return self.count

    @property
    def data(self) -> int:
        """Pieces that hold the bytes once, and that a read needs."""
        return 1

    def __str__(self) -> str:
        return f"{self.count} replicas" if self.count > 1 else "1 replica"


@value()
class ErasureCode:
    """`data` pieces that share the bytes, and `parity` more: any `data` of all suffice to read."""

    data: int
    parity: int

    @property
    def pieces(self) -> int:
        """Pieces that lie apart."""
        return self.data + self.parity

    def __str__(self) -> str:
        return f"EC {self.data}+{self.parity}"


Redundancy = Replicas | ErasureCode


def spare(redundancy: Redundancy) -> int:
    """Return how many pieces may be gone while the bytes can be read."""
    return redundancy.pieces - redundancy.data
