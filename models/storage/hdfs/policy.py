"""Erasure coding policies of HDFS: a file in block groups, striped in cells over k data and m parity blocks.

Its name says it: codec, data and parity blocks, KiB of a cell; own ones (hdfs ec -addPolicies) are named likewise.
Cells go round robin to the k data blocks of a group; from each stripe of k cells follow m parity cells, as long as the
first cell of the stripe. So a file below one cell takes 1 + m pieces of its length.

Source: Apache Hadoop, HDFS Erasure Coding; ErasureCodeConstants (policies), StripedBlockUtil (lengths of blocks);
ErasureCodingPolicy.composePolicyName and ErasureCodingPolicyManager.addPolicy (own policies, cells up to 4 MiB).
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

from models.problem import refusal
from models.values import value


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


LARGEST_CELL = 4096
"""KiB of a cell at most. Source: Apache Hadoop, hdfs-default.xml, dfs.namenode.ec.policies.max.cellsize."""

MOST_PIECES = 256
"""Blocks of a group at most: what can be told apart in the field of 2^8 elements that the codec computes in."""

_NAME = re.compile(r"(RS|XOR)-([1-9]\d{0,2})-([1-9]\d{0,2})-([1-9]\d{0,3})k")


@lru_cache
def policy_of(name: str) -> Policy:
    """Return the policy of a name, such as RS-6-3-1024k.

    Raises:
        RefusalError: it is none, or no codec makes it.
    """
    match = _NAME.fullmatch(name)
    codec, (data, parity, cell) = (match[1], map(int, match.groups()[1:])) if match else ("", (0, 0, 0))
    if not match or cell > LARGEST_CELL or data + parity > MOST_PIECES or (codec == "XOR" and parity > 1):
        shipped = ", ".join(POLICIES)
        raise refusal(
            "policy",
            f"expected one that ships ({shipped}), or an own one such as 'RS-6-3-64k'",
            f"RS or XOR, data blocks, parity blocks (1 with XOR), KiB of a cell (at most {LARGEST_CELL})",
            value=name,
        )
    return Policy(data, parity, cell * 1024.0)


POLICIES = MappingProxyType(
    {name: policy_of(name) for name in ("RS-3-2-1024k", "RS-6-3-1024k", "RS-10-4-1024k", "XOR-2-1-1024k")}
)
"""The policies that HDFS ships (dfs.namenode.ec.policies)."""
