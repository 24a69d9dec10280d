"""Which requests S3A sends, by committer: to open a split, to write a file, to commit a task and a job.

The tables below are sent one after the other and take time. HEAD before a GET, and POST that begins an upload, are
counted, but their time is that of the first byte that follows. Not covered: retries, deletion of markers and attempts.

Source: Hadoop 3.3.5, S3AFileSystem (HEAD and LIST of a status: HADOOP-17023), CommitOperations, MagicCommitTracker.
"""

from __future__ import annotations

import math
from collections import Counter

from models.storage.clients.s3a import S3aSettings
from models.storage.contract import Requests
from models.storage.stages import LIST_PAGE

FOUND: Requests = {"HEAD": 1}
"""A lookup of a name that is there."""

ABSENT: Requests = {"HEAD": 1, "LIST": 1}
"""A lookup of a name that is not: neither object nor directory."""

CREATE = ABSENT
"""Before the first byte of a stream: nothing of that name may exist."""

MAGIC_CLOSE: Requests = {"PUT": 2}
"""At the end of a stream: a marker in the place of the file, and the list of its parts."""

MAGIC_TASK: Requests = {"LIST": 1, "GET": 1, "PUT": 1}
"""At task commit: the lists of the task's files become one."""

MAGIC_JOB: Requests = {"GET": 1}
"""At job commit, a task: its list is read. Staging committers keep theirs on the cluster's own file system."""

RENAME: Requests = {"HEAD": 2, "LIST": 1, "DELETE": 1}
"""Beside the COPY: the status of source and target, and the end of the source."""


def listing_pages(pending: float) -> int:
    """Return the pages of a listing of all uncompleted uploads, which a committer asks for at job commit."""
    return math.ceil(pending / LIST_PAGE)


def opened(splits: int) -> Counter[str]:
    """Return the requests that read splits: one HEAD and one GET each."""
    return Counter({"HEAD": splits, "GET": splits})


def written(settings: S3aSettings, files: int, size: float) -> Counter[str]:
    """Return the requests that write files of `size` bytes, up to task commit."""
    parts, name = settings.parts(size), settings.committer.name
    if settings.is_staging:
        lists = settings.committer.partitions if name == "partitioned" else 0
        per_file = Counter({"POST": 1, "PUT": parts, "LIST": lists})
    elif name == "magic":
        per_file = Counter({"POST": 1, "PUT": parts}) + Counter(CREATE) + Counter(MAGIC_CLOSE) + Counter(MAGIC_TASK)
    else:
        whole = Counter({"PUT": parts, "POST": 2 if parts > 1 else 0})
        per_file = Counter(CREATE) + whole + _renamed(settings, size)
    return _times(per_file, files)


def committed(settings: S3aSettings, files: int, size: float, pending: float) -> Counter[str]:
    """Return the requests that commit a job of files of `size` bytes each, beside `pending` uploads of other jobs."""
    committer = settings.committer
    if committer.name == "file":
        return _times(_renamed(settings, size), files) if committer.renames_again else Counter({"PUT": 1})
    per_file = Counter({"POST": 1}) + Counter(MAGIC_JOB if committer.name == "magic" else {})
    return _times(per_file, files) + Counter({"LIST": listing_pages(pending)})


def _renamed(settings: S3aSettings, size: float) -> Counter[str]:
    copies = settings.copied_parts(size)
    return Counter(RENAME) + Counter({"COPY": copies, "POST": 2 if copies > 1 else 0})


def _times(counts: Counter[str], count: int) -> Counter[str]:
    return Counter({kind: number * count for kind, number in counts.items() if number * count})
