"""Archives with the same bytes for the same contents: their entries have a fixed date."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping

DATED = (1980, 1, 1, 0, 0, 0)  # the first that the format knows
TIME = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
CORE = "docProps/core.xml"
FIXED = rb"\g<1>2000-01-01T00:00:00Z"


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files, by name."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, DATED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            made.writestr(entry, content)
    return file.getvalue()


def undated(package: bytes) -> bytes:
    """Return an office document, and those within it, without the time at which it was made."""
    with zipfile.ZipFile(io.BytesIO(package)) as read:
        files = {name: read.read(name) for name in read.namelist()}
    for name, content in files.items():
        if name.endswith(".xlsx"):
            files[name] = undated(content)
        elif name == CORE:
            files[name] = TIME.sub(FIXED, content)
    return archive(files)
