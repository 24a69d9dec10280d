"""Which requests S3A sends, by committer: to open a split, to write a file, to commit a task and a job.

The tables below are sent one after the other and take time. HEAD before a GET, and POST that begins an upload, are
counted, but their time is that of the first byte that follows. Not covered: retries, markers that a stream deletes as
it is closed, and what S3A's own committers delete in the end.

Source: Hadoop 3.3.5, S3AFileSystem (HEAD and LIST of a status: HADOOP-17023; initiateRename, finishRename),
RenameOperation, OperationCost, CommitOperations, MagicCommitTracker; FileOutputCommitter.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from models.storage.clients.reading import Algorithm
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

RENAME: Requests = {"HEAD": 3, "LIST": 1, "DELETE": 1}
"""Beside the COPY, within a folder: the status of source and target, what is copied, and the end of the source."""

MOVE: Requests = {"HEAD": 4, "LIST": 2, "DELETE": 2, "PUT": 1}
"""The same into another folder, which is no object and needs its marker no more, from one that is left empty."""


def _sum(*requests: Requests) -> Requests:
    """Return all of some requests."""
    total: Counter[str] = Counter()
    for some in requests:
        total.update(some)
    return total


_FOLDER = ABSENT
"""A lookup of a folder: no object has its name, and a listing shows what lies in it."""

_LIST: Requests = {"LIST": 1}

_MERGE = _sum(_FOLDER, _LIST, ABSENT, MOVE)
"""What moves the file of a task's folder into that of the output, beside the COPY (mergePaths)."""

FILE_TASK: Mapping[Algorithm, Requests] = {
    1: _sum(_FOLDER, _FOLDER, ABSENT, _FOLDER, ABSENT, FOUND, _LIST, FOUND, {"DELETE": 2}, _LIST),
    2: _sum(_FOLDER, _FOLDER, _MERGE),
}
"""At the task commit of a FileOutputCommitter: version 1 renames the task's folder, 2 moves its file to its place."""

FILE_JOB = _MERGE
"""At job commit of version 1, a file."""

BULK_DELETE = 250
"""Names that a DELETE ends at most. Source: core-default.xml, fs.s3a.bulk.delete.page.size."""


def ended(files: int, algorithm: Algorithm) -> Requests:
    """Return the requests with which a FileOutputCommitter ends: no temporary folder is left, and _SUCCESS is written.

    Version 1 lists the folders of all tasks before it moves their files; of either a marker of each task is left.
    """
    pages = math.ceil(files / LIST_PAGE)
    listings = {"LIST": pages * (2 if algorithm == 1 else 1)}
    return _sum(_FOLDER, listings, {"DELETE": math.ceil(files / BULK_DELETE)}, _LIST, _LIST, {"PUT": 1, "DELETE": 1})


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
        per_file = Counter(CREATE) + whole + _copied(settings, size) + Counter(FILE_TASK[settings.committer.version])
    return _times(per_file, files)


def committed(settings: S3aSettings, files: int, size: float, pending: float) -> Counter[str]:
    """Return the requests that commit a job of files of `size` bytes each, beside `pending` uploads of other jobs."""
    committer = settings.committer
    if committer.name == "file":
        moved = _copied(settings, size) + Counter(FILE_JOB) if committer.version == 1 else Counter()
        return _times(moved, files) + Counter(ended(files, committer.version))
    per_file = Counter({"POST": 1}) + Counter(MAGIC_JOB if committer.name == "magic" else {})
    return _times(per_file, files) + Counter({"LIST": listing_pages(pending)})


def _copied(settings: S3aSettings, size: float) -> Counter[str]:
    copies = settings.copied_parts(size)
    return Counter({"COPY": copies, "POST": 2 if copies > 1 else 0})


def _times(counts: Counter[str], count: int) -> Counter[str]:
    return Counter({kind: number * count for kind, number in counts.items() if number * count})
