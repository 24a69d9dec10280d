"""What S3A ships with, by release of Hadoop: parts, threads, connections and vectored reads that nobody stated.

The rest of what the model takes is the same since 3.0: blocks of 32 MiB, four parts in flight, buffered on disk, the
committer `file`, 8 threads of job commit, the input policy `normal`, 64 KiB of read-ahead. Not covered: releases before
3.0, which wrote a whole file to disk first.

Source: core-default.xml in released jars of 3.2.0, 3.3.1, 3.3.2, 3.3.4 and 3.4.1; for 3.3.5 and 3.3.6 the Constants of
S3A in pull requests 5948 and 6487, around them in time: 96 connections (HADOOP-17869), in 3.4 500 (HADOOP-19015). 96
threads with 200 connections stood in the trunk for two months, and in no release. Assumed: 3.0 and 3.1 as 3.2.0, and
3.3.0 as 3.3.1. Vectored reads came with 3.3.5 (HADOOP-18103; sizes of the Constants), and with 3.4.2 larger ones
(HADOOP-19229, January 2025): until then Spark 4.0 sets these itself (SparkContext).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from models.problem import refusal

CURRENT = "3.3.5"
"""The release that is taken where nobody names one: whose code the model of S3A is from."""


def _vectored(gap: str, largest: str) -> dict[str, Any]:
    return {"vectored": {"read": {"min": {"seek": {"size": gap}}, "max": {"merged": {"size": largest}}}}}


_OLD: dict[str, Any] = {"multipart": {"size": "100 MiB", "threshold": "2147483647 B"}}
_NEW: dict[str, Any] = {"multipart": {"size": "64 MiB", "threshold": "128 MiB"}}
_VECTORS = _vectored("4896 B", "1253376 B")
SHIPPED: Mapping[tuple[int, ...], Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        (3, 0): _OLD | {"threads": {"max": 10}, "connection": {"maximum": 15}},
        (3, 3): _NEW | {"threads": {"max": 64}, "connection": {"maximum": 48}},
        (3, 3, 2): _NEW | {"threads": {"max": 64}, "connection": {"maximum": 96}},
        (3, 3, 5): _NEW | _VECTORS | {"threads": {"max": 64}, "connection": {"maximum": 96}},
        (3, 4): _NEW | _VECTORS | {"threads": {"max": 96}, "connection": {"maximum": 500}},
        (3, 4, 2): _NEW | _vectored("128 KiB", "2 MiB") | {"threads": {"max": 96}, "connection": {"maximum": 500}},
    }
)
"""Settings of fs.s3a by the first release that has them, the oldest first."""

FIRST_WITH_VECTORS = (3, 3, 5)
"""Source: apache/hadoop, HADOOP-18103 (vectored reads) and HADOOP-16202 (policies of openFile)."""

_RELEASE = re.compile(r"\d{1,3}(\.\d{1,3}){1,3}")


def shipped(release: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the settings of fs.s3a that a release of Hadoop ships.

    Raises:
        RefusalError: it names no release, or one before the oldest that is known.
    """
    number = _number(release)
    known = [settings for first, settings in SHIPPED.items() if first <= number]
    if not known:
        raise refusal("release", f"expected a release of Hadoop, such as {CURRENT!r}, from 3.0 on", value=release)
    return known[-1]


def knows_vectors(release: str) -> bool:
    """Tell whether a release reads ranges in a vector, and listens to what is declared as an object is opened."""
    return _number(release) >= FIRST_WITH_VECTORS


def _number(release: str) -> tuple[int, ...]:
    """Return the numbers of a release, none where it names none."""
    return tuple(map(int, release.split("."))) if _RELEASE.fullmatch(release) else ()
