"""Compressions that Python's own library does not read: Zstandard, and the two kinds of LZ4.

Both need a library of their own, which the extra `compressed` installs. And how large the directory of a zip archive
is, which Python's library reads as a whole, with an object for each member.
"""

from __future__ import annotations

import io
import struct
from typing import IO, Any
from zipfile import ZipFile, ZipInfo

_LARGEST_WINDOW = 2**27
"""Bytes that a stream may refer back to. Source: manual of zstd: it decodes 128 MiB without being asked to."""
_PACKED = 2**11
"""Bytes that are decompressed in one go: at most 64 MiB come of them, as four bytes of zstd give a block of 128 KiB."""
_HEADER = struct.Struct("<8sBiii")
"""Magic, token, compressed and original length, checksum. Source: lz4-java, LZ4BlockOutputStream."""
_END = struct.Struct("<4s4H2LH")
"""End of a zip archive: magic, four counts, the last of them that of all members, size and place of their directory."""
_LARGE_END = struct.Struct("<4sQ2H2L4Q")
"""The same of a large one; it stands before a locator of 20 bytes. Source: PKWARE, APPNOTE.TXT, 4.3.14 to 4.3.16."""
_ENCRYPTED = 1
"""The flag of a member of a zip archive. Source: PKWARE, APPNOTE.TXT, 4.4.4."""
_LOCATOR = 20
_LARGEST_COMMENT = 2**16
_RAW = 0x10
_LARGEST_BLOCK = 2**25
"""Bytes. Source: lz4-java, LZ4BlockOutputStream.MAX_BLOCK_SIZE."""


class Zstd:
    """The bytes of Zstandard frames; the library's own reader does not tell the end of a file from that of its data."""

    def __init__(self, raw: IO[bytes]) -> None:
        """Begin before the first frame.

        Raises:
            ModuleNotFoundError: the library is not installed.
        """
        import zstandard

        self._raw, self._error = raw, zstandard.ZstdError
        self._decoder = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        self._frame: Any = None
        self._packed, self._left = b"", memoryview(b"")

    def read(self, size: int) -> memoryview:
        """Return up to so many bytes, none at the end.

        Raises:
            EOFError: a frame is broken or cut off.
        """
        while not self._left:
            packed = self._packed or self._raw.read(_PACKED)
            if not packed:
                if self._frame is None:
                    break
                raise EOFError("its last frame has no end")
            self._left = self._decompressed(packed)
        piece, self._left = self._left[:size], self._left[size:]
        return piece

    def _decompressed(self, packed: bytes) -> memoryview:
        if self._frame is None:
            self._frame = self._decoder.decompressobj()
        try:
            data = memoryview(self._frame.decompress(packed))
        except self._error as error:
            raise EOFError(f"{error}") from None
        self._packed = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = None
        return data


def lz4_frames(raw: IO[bytes]) -> Any:
    """Return the bytes of LZ4 frames.

    Raises:
        ModuleNotFoundError: the library is not installed.
    """
    import lz4.frame

    return io.BufferedReader(lz4.frame.LZ4FrameFile(raw))


class Lz4Blocks:
    """The blocks that Java programs such as Spark write with lz4-java."""

    def __init__(self, raw: IO[bytes]) -> None:
        """Begin before the first block.

        Raises:
            ModuleNotFoundError: the library is not installed.
        """
        import lz4.block

        self._raw, self._decompress, self._error = raw, lz4.block.decompress, lz4.block.LZ4BlockError
        self._left = b""

    def read(self, size: int) -> bytes:
        """Return up to so many bytes, none at the end.

        Raises:
            EOFError: a block is broken or cut off.
        """
        while not self._left:
            block = self._block()
            if block is None:
                return b""
            self._left = block
        piece, self._left = self._left[:size], self._left[size:]
        return piece

    def _block(self) -> bytes | None:
        """Return the next block, empty between two streams, None at the end."""
        header = self._raw.read(_HEADER.size)
        if not header:
            return None
        if len(header) < _HEADER.size:
            raise EOFError("the file breaks off in a block")
        magic, token, packed, original, _ = _HEADER.unpack(header)
        if magic != b"LZ4Block" or not 0 <= packed <= _LARGEST_BLOCK or not 0 <= original <= _LARGEST_BLOCK:
            raise EOFError("a block is broken")
        data = self._raw.read(packed)
        if len(data) < packed:
            raise EOFError("the file breaks off in a block")
        try:
            return data if token & 0xF0 == _RAW else bytes(self._decompress(data, uncompressed_size=original))
        except self._error as error:
            raise EOFError(f"{error}") from None


def unlocked(archive: ZipFile, member: ZipInfo) -> IO[bytes]:
    """Return a member of a zip archive, opened.

    Raises:
        RuntimeError: it is encrypted.
    """
    if member.flag_bits & _ENCRYPTED:
        raise RuntimeError("it is encrypted; unpack it with its password, and import what is in it")
    return archive.open(member)


def directory(file: IO[bytes]) -> tuple[int, int]:
    """Return the members of a zip archive, and the bytes of their directory, as its end says."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(size - _LARGEST_COMMENT - _END.size - _LOCATOR - _LARGE_END.size, 0))
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or at + _END.size > len(tail):
        return 0, 0
    _, _, _, _, members, length, _, _ = _END.unpack_from(tail, at)
    before = at - _LOCATOR - _LARGE_END.size
    if before >= 0 and tail.startswith(b"PK\6\6", before):
        *_, members, length, _ = _LARGE_END.unpack_from(tail, before)
    return members, length
