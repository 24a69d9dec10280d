"""Profiles with many workloads, small enough to be run in a test."""

from __future__ import annotations

TWO_JOBS = """\
cluster = "12-h1"
storage = "hdfs"

[profile]
title = "two jobs"

[[workloads]]
use = "terasort"
name = "night"
framework = "yarn-h1"

[[workloads]]
use = "wordcount"
name = "count"
framework = "yarn-h1"
start = "60 s"
"""

SHORT_DAY = """\
cluster = "12-h1-and-12-c5d"
storage = "minio-2019"
client = "s3a-staging"

[profile]
title = "two jobs, a load and a drive that fails"

[[workloads]]
use = "terasort"
name = "night"
framework = "yarn-c5d"
input = "5 GB"
reduces = 96
finish_by = "10 min"

[[workloads]]
use = "wordcount"
name = "count"
framework = "yarn-c5d"
input = "1 GB"
reduces = 96
every = "40 s"
until = "60 s"

[[workloads]]
kind = "requests"
name = "tenant"
clients = "compute"
rate = "40 1/s"
duration = "60 s"
data = "1 TB"
objectives = ["p99 <= 1 s", "p99 <= 1 ms"]

[workloads.mix.GET]
action = "get"
size = "1 MiB"

[failures]
replacement_time = "0 s"

[[failures.faults]]
at = "5 s"
component = "storage-3/data-2"
"""
