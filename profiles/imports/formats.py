"""The registry of what can be imported: one line a format, told by content and never by name.

A format is a module with `NAME`; `recognises(head)`, which tells it by the beginning of a file; and
`read(source, finding)`, which fills a finding. Files of a folder that are pieces of one record, such as access logs,
are read as one where the module has `PIECES = True`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol, cast

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

FORMATS = (
    "dd",
    "iozone",
    "iperf3",
    "iperf3_json",
    "fio",
    "fio_text",
    "fio_terse",
    "fio_log",
    "lscpu",
    "lsblk",
    "ip_link",
    "ethtool",
    "smartctl",
    "nvme_list",
    "dmidecode",
    "meminfo",
    "lspci",
    "hdfs_report",
    "hdfs_fsck",
    "hdfs_oiv",
    "mc_admin_info",
    "ceph_osd",
    "ceph_df",
    "warp",
    "warp_json",
    "mc_speedtest",
    "cosbench",
    "elbencho",
    "s3_benchmark",
    "s3_access_log",
    "web_log",
    "mc_trace",
    "storagegrid_audit",
    "sysstat",
    "prometheus",
    "accept_times",
    "not_read",
    "dfsio",
    "ior",
    "io500",
    "hibench",
    "vdbench",
    "rgw_ops_log",
    "rgw_access_log",
    "cloudwatch",
    "trino_query",
    "tez_history",
    "impala_profile",
    "dremio_profile",
    "hadoop_history",
    "hadoop_1_history",
    "rumen",
    "hadoop_job_text",
    "hadoop_settings",
    "swim",
    "swf",
    "alibaba_trace",
    "google_trace",
    "spark_events",
    "spark_measure",
)
"""Modules of this package."""


class Format(Protocol):
    """What a module of a format offers."""

    NAME: str

    def recognises(self, head: str) -> bool:
        """Tell whether a file that begins so is of this format."""

    def read(self, source: Source, finding: Finding) -> None:
        """Fill a finding with what a file says.

        Raises:
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError: it is not as the program writes it.
        """


@cache
def formats() -> tuple[Format, ...]:
    """Return all formats."""
    return tuple(cast(Format, import_module(f"profiles.imports.{name}")) for name in FORMATS)


def names() -> str:
    """Return the names of all formats in words."""
    return ", ".join(dict.fromkeys(reader.NAME for reader in formats()))


def is_in_pieces(kind: Format) -> bool:
    """Tell whether files of one folder are pieces of one record."""
    return bool(getattr(kind, "PIECES", False))


def recognised(head: str) -> list[Format]:
    """Return the formats of a file that begins so: several where a terminal session holds several programs."""
    return [reader for reader in formats() if reader.recognises(head)]
