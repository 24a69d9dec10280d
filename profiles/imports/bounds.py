"""What a packed file may grow to: bytes and lines in proportion to what is read for them from the disk."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any, Protocol

from models.problem import ProblemError
from profiles.text.files import why_not

FREE = 2**24
"""Bytes to which any file may grow. Assumption: no harm is done below, even by lines of one letter."""
MOST_GROWTH = 500
"""Times its size to which a larger one may grow. Assumption: logs shrink to a hundredth."""
FREE_LINES = 2**20
"""Lines that any file may have. Assumption: they are read in a second."""
MOST_LINES = 2
"""Lines for each byte of a larger one. Assumption: lines of 50 letters in what shrinks to a hundredth."""

OUT = "left out: unpack it to read it all the same"
"""What is said of a file that grows further: bytes that are not packed have no bounds."""

_CUT = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)
BROKEN = (*_CUT, ArithmeticError, LookupError, RuntimeError, ValueError, tarfile.TarError, zipfile.BadZipFile)
"""What libraries raise for members of archives that are damaged, encrypted, or packed in ways that they do not know."""


class Packed(Protocol):
    """A file as it lies on the disk or in its archive: its bytes there, and why its end is missing."""

    size: int
    cut: str

    def refused(self, line: int | None, message: str) -> ProblemError:
        """Return why the file is refused."""
        ...


class Counted(io.RawIOBase):
    """The bytes on the disk, counted as they are read."""

    def __init__(self, file: IO[bytes], on_bytes: Callable[[int], None]) -> None:
        self._file, self._on_bytes = file, on_bytes
        self.read_so_far = 0

    def readable(self) -> bool:
        """Tell that it is there to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes into a buffer; return how many.

        Raises:
            OSError: the archive in which it lies is damaged.
        """
        try:
            piece = self._file.read(len(buffer))
        except BROKEN as error:  # of the archive in which it lies
            raise OSError(str(error)) from None
        buffer[: len(piece)] = piece
        self.read_so_far += len(piece)
        self._on_bytes(len(piece))
        return len(piece)


class Bounded(io.RawIOBase):
    """Decompressed bytes, as long as they are in proportion to what was read for them."""

    def __init__(self, stream: Any, counted: Counted, source: Packed) -> None:
        self._stream, self._counted, self._source = stream, counted, source
        self._grown, self._lines, self._is_over = 0, 0, False

    def readable(self) -> bool:
        """Tell that it is there to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes into a buffer; return how many, 0 at the end and where it breaks off.

        Raises:
            ProblemError: it grows beyond the bounds.
            OSError: the system cannot read it.
        """
        if self._is_over:
            return 0
        try:
            piece = self._stream.read(len(buffer))
        except _CUT as error:
            return self._cut(error)
        except OSError as error:
            if error.errno is not None:
                raise
            return self._cut(error)  # bz2 and lz4 tell broken data this way
        buffer[: len(piece)] = piece
        self._grown += len(piece)
        packed = min(self._counted.read_so_far, self._source.size)  # of a member of a zip its size there
        if self._grown > FREE and self._grown > MOST_GROWTH * packed:
            raise self._source.refused(None, f"grows to more than {MOST_GROWTH} times its size: no log does; {OUT}")
        if self._grown > packed:
            self._lines += max(bytes(piece).count(end) for end in (b"\n", b"\r"))
            if self._lines > FREE_LINES and self._lines > MOST_LINES * packed:
                raise self._source.refused(
                    None, f"grows to more than {MOST_LINES} lines for each of its bytes: no log does; {OUT}"
                )
        return len(piece)

    def _cut(self, error: Exception) -> int:
        """End here: a decoder that is asked again after an error writes anywhere, and libbz2 ends the process."""
        self._source.cut, self._is_over = why_not(error), True
        return 0
