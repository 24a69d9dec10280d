"""Readers of benchmark output (dd, iozone, iperf3, fio), and the writer of the parts that are fitted to it."""

from __future__ import annotations

from profiles.calibration.files import read_files
from profiles.calibration.part import drive_part, server_part
from profiles.calibration.reading import Reading

__all__ = ["Reading", "drive_part", "read_files", "server_part"]
