"""Bytes of a file as letters: its encoding and the ends of its lines, told by how it begins."""

from __future__ import annotations

import codecs
import io

HEAD = 2**16
"""Letters by which a format is told. Assumption: what stands further down is no heading."""
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def text_of(stream: io.BufferedReader) -> io.TextIOWrapper:
    r"""Return the text of a file, whose lines end in `\n`.

    Where no line of the beginning does and some end in `\r`, as on old systems, that ends all of its lines. Elsewhere
    a `\r` stays: tools write over a line with it.
    """
    begin = stream.peek(HEAD)[:HEAD]
    encoding = next((name for mark, name in _MARKS if begin.startswith(mark)), _unmarked(begin))
    head = begin.decode(encoding, "replace")
    is_old = "\n" not in head and "\r" in head
    return io.TextIOWrapper(stream, encoding, errors="replace", newline=None if is_old else "\n")


def _unmarked(begin: bytes) -> str:
    """Return the encoding of a text without a mark: every other byte of UTF-16 in Latin letters is nothing."""
    if len(begin) >= 4 and begin[1] == begin[3] == 0 and begin[0]:
        return "utf-16-le"
    return "utf-16-be" if len(begin) >= 4 and begin[0] == begin[2] == 0 and begin[1] else "utf-8"
