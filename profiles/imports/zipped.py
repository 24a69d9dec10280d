"""Compressions that Python's own library does not read: Zstandard, and the two kinds of LZ4.

Both need a library of their own, which the extra `compressed` installs. And how large the directory of a zip archive
is, which Python's library reads as a whole, with an object for each member.
"""

from __future__ import annotations

import io
import struct
from typing import IO, Any

_LARGEST_WINDOW = 2**27
"""Bytes that a stream may refer back to. Source: manual of zstd: it decodes 128 MiB without being asked to."""
_HEADER = struct.Struct("<8sBiii")
"""Magic, token, compressed and original length, checksum. Source: lz4-java, LZ4BlockOutputStream."""
_END = struct.Struct("<4s4H2LH")
"""End of a zip archive: magic, four counts, the last of them that of all members, size and place of their directory."""
_LARGE_END = struct.Struct("<4sQ2H2L4Q")
"""The same of a large one; it stands before a locator of 20 bytes. Source: PKWARE, APPNOTE.TXT, 4.3.14 to 4.3.16."""
_LOCATOR = 20
_LARGEST_COMMENT = 2**16
_RAW = 0x10
_LARGEST_BLOCK = 2**25
"""Bytes. Source: lz4-java, LZ4BlockOutputStream.MAX_BLOCK_SIZE."""


def zstd(raw: IO[bytes]) -> Any:
    """Return the bytes of Zstandard frames, of which the last may be cut off.

    Raises:
        ModuleNotFoundError: the library is not installed.
    """
    import zstandard

    decoder = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    return _Zstd(decoder.stream_reader(raw, read_across_frames=True), zstandard.ZstdError)


class _Zstd:
    def __init__(self, stream: Any, error: type[Exception]) -> None:
        self._stream, self._error = stream, error

    def read(self, size: int) -> bytes:
        try:
            return bytes(self._stream.read(size))
        except self._error as error:
            raise EOFError(f"{error}") from None


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
