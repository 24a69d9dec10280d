"""Erasure coding policies of HDFS: a file in block groups, striped in cells over k data and m parity blocks.

Cells go round robin to the k data blocks of a group; from each stripe of k cells follow m parity cells, as long as the
first cell of the stripe. So a file below one cell takes 1 + m pieces of its length.

Source: Apache Hadoop, HDFS Erasure Coding; ErasureCodeConstants (policies), StripedBlockUtil (lengths of blocks).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from models.values import value

PolicyName = Literal["RS-3-2-1024k", "RS-6-3-1024k", "RS-10-4-1024k", "XOR-2-1-1024k"]


@value()
class Policy:
    """`data` and `parity` blocks of a group, striped in cells of `cell` bytes."""

    data: int
    parity: int
    cell: float = 1048576.0

    @property
    def pieces(self) -> int:
        """Blocks of a group."""
        return self.data + self.parity

    def lengths(self, size: float) -> tuple[float, ...]:
        """Return the bytes of each block of a group that holds `size` bytes, data blocks first."""
        stripes, rest = divmod(size, self.data * self.cell)
        last = [min(max(rest - i * self.cell, 0.0), self.cell) for i in range(self.data)]
        parity = stripes * self.cell + last[0]
        return (*(stripes * self.cell + part for part in last), *(parity for _ in range(self.parity)))


POLICIES = MappingProxyType(
    {
        "RS-3-2-1024k": Policy(3, 2),
        "RS-6-3-1024k": Policy(6, 3),
        "RS-10-4-1024k": Policy(10, 4),
        "XOR-2-1-1024k": Policy(2, 1),
    }
)
"""The policies that HDFS knows by name (dfs.namenode.ec.policies)."""
