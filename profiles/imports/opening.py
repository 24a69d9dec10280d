"""Files of any size as streams of text in constant memory: folders, archives, compressed files, any encoding.

What a file is is told by its first bytes, never by its name. A name below an archive is only shown, nothing is written
under it. What a compressed file grows to is bounded, and so is a line: a bomb is refused, not swallowed.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from sys import getsizeof
from typing import IO, Any, TypeVar

from models.problem import Problem, ProblemError
from profiles.imports.bounds import BROKEN, Bounded, Counted
from profiles.imports.letters import HEAD, text_of
from profiles.imports.zipped import Lz4Blocks, Zstd, directory, lz4_frames, unlocked
from profiles.text.files import unreadable

LARGEST_TEXT = 2**26
"""Letters of what has to be read whole. Assumption: a report of a thousand jobs has a tenth of it."""
LONGEST_LINE = 2**28
"""Bytes in memory of one line. Assumption: the plans in event logs of Spark come to 100 million."""
MOST_FILES = 200_000
"""Files of one import. Assumption: access logs of a week come to a hundred thousand."""
LARGEST_DIRECTORY = 2**26
"""Bytes of the table of members of a zip archive. Assumption: those of so many files with paths of 300 letters."""
LARGEST_ARCHIVE = 2**36
"""Bytes of an archive on the disk for temporary files. Assumption: a collection of a thousand servers has less."""
LARGEST_HEADER = 2**24
"""Bytes of the long name, or of further headers, of a file in an archive. Assumption: systems have names of 4 KB."""
_PIECE = 2**20
_TOO_MANY = "more files in it than an import takes: unpack it, and import its folders one by one"

Decoder = Callable[[IO[bytes]], Any]
M = TypeVar("M")
F = TypeVar("F")
_CODES: tuple[tuple[bytes, Decoder], ...] = (
    (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\0", lzma.LZMAFile),
    (b"\x28\xb5\x2f\xfd", Zstd),
    (b"\x04\x22\x4d\x18", lz4_frames),
    (b"LZ4Block", Lz4Blocks),
)
"""What compressed files begin with, and what gives their bytes."""


@dataclass(slots=True)
class Source:
    """One file to be read, as often as need be. `name` is what the user calls it.

    Files of one `folder` were gathered together; `folder` is empty for a file that was named by itself. `cut` says
    after reading why the end is missing, `at` is the line being read. `on_bytes` is told the bytes read from the disk.
    """

    name: str
    folder: str
    size: int
    opened: Callable[[], IO[bytes]]
    on_bytes: Callable[[int], None] = field(default=lambda _: None)
    cut: str = ""
    at: int = 0

    def head(self) -> str:
        """Return the beginning of the text.

        Raises:
            ProblemError: the file cannot be read.
        """
        with self._text(lambda _: None) as text:
            return text.read(HEAD)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines without their ends, numbered from 1. A file that breaks off ends there, and sets `cut`.

        Raises:
            ProblemError: the file cannot be read, grows beyond all bounds, or has a line that does.
        """
        with self._text(self.on_bytes) as text:
            self.at, most = 0, min(_PIECE, LONGEST_LINE)
            while line := text.readline(most):
                self.at += 1
                if len(line) == most and line[-1] != "\n":
                    line = self._whole(line, text, self.at)
                yield self.at, line.rstrip("\r\n")

    def _whole(self, line: str, text: io.TextIOWrapper, number: int) -> str:
        """Return a long line that begins so; of other letters than Latin ones each takes two or four bytes."""
        pieces, size = [line], getsizeof(line)
        while pieces[-1][-1] != "\n" and (piece := text.readline(_PIECE)):
            pieces.append(piece)
            size += getsizeof(piece)
            if size > LONGEST_LINE:
                raise self.refused(number, f"a line of more than {LONGEST_LINE >> 20} MiB")
        return "".join(pieces)

    def text(self) -> str:
        """Return the whole text.

        Raises:
            ProblemError: the file cannot be read, or is too large to be read whole.
        """
        with self._text(self.on_bytes) as text:
            whole = text.read(LARGEST_TEXT + 1)
        if len(whole) > LARGEST_TEXT:
            raise self.refused(None, f"larger than {LARGEST_TEXT >> 20} MiB, which no file of this kind is")
        return whole

    @contextmanager
    def bytes(self) -> Iterator[io.BufferedReader]:
        """Give the bytes, decompressed.

        Raises:
            ProblemError: the file cannot be read.
        """
        with self._expanded(self.on_bytes) as stream:
            yield stream

    @contextmanager
    def _text(self, on_bytes: Callable[[int], None]) -> Iterator[io.TextIOWrapper]:
        with self._expanded(on_bytes) as stream:
            yield text_of(stream)

    @contextmanager
    def _expanded(self, on_bytes: Callable[[int], None]) -> Iterator[io.BufferedReader]:
        try:
            with self.opened() as file:
                counted = Counted(file, on_bytes)
                raw = io.BufferedReader(counted, _PIECE)
                begin = raw.peek(8)[:8]
                decoder = next((code for mark, code in _CODES if begin.startswith(mark)), None)
                bounded = Bounded(decoder(raw) if decoder else raw, counted, self)
                yield io.BufferedReader(bounded, _PIECE)
        except OSError as error:
            raise self.refused(None, unreadable(error)) from None
        except ModuleNotFoundError as error:
            way_out = f"decompress it first, or install the library: pip install '{error.name}'"
            raise self.refused(None, f"reading this compression needs the library {error.name}; {way_out}") from None

    def refused(self, line: int | None, message: str) -> ProblemError:
        """Return why the file is refused."""
        return ProblemError([Problem(self.name, line, "", message)])


@contextmanager
def sources(paths: Iterable[str], *, on_bytes: Callable[[int], None] = lambda _: None) -> Iterator[list[Source]]:
    """Give the files of files, folders and archives, each once, in the order of their names; archives are kept open.

    Raises:
        ProblemError: with each path that is not there, and with archives that cannot be read.
    """
    opened: list[Source] = []
    problems: list[Problem] = []
    with ExitStack() as kept:
        for path in dict.fromkeys(paths):
            try:
                opened += _sources(Path(path), path, kept)
            except ProblemError as error:
                problems += error.problems
        if len(opened) > MOST_FILES:
            problems.append(Problem("", None, "", f"more than {MOST_FILES:,} files: import them folder by folder"))
        if problems:
            raise ProblemError(problems)
        for source in opened:
            source.on_bytes = on_bytes
        yield opened


def _sources(path: Path, name: str, kept: ExitStack) -> list[Source]:
    if path.is_dir():
        inside = sorted(file for file in path.rglob("*") if _is_file(file) and not file.name.startswith("."))
        return [one for file in inside for one in _sources_in_folder(file, kept)]
    return _sources_of_file(path, name, "", kept)


def _sources_in_folder(path: Path, kept: ExitStack) -> list[Source]:
    """Return the files of a file; one that cannot be used says so when it is read, and stops no other."""
    name, folder = str(path), str(path.parent)
    try:
        return _sources_of_file(path, name, folder, kept)
    except ProblemError as error:
        return [Source(name, folder, 0, partial(_refuse, error))]


def _refuse(error: ProblemError) -> IO[bytes]:
    raise error


def _is_file(path: Path) -> bool:
    """Tell whether a path of a folder is a file, or may be one, which opening it will tell."""
    try:
        return path.is_file()
    except OSError:
        return True


def _sources_of_file(path: Path, name: str, folder: str, kept: ExitStack) -> list[Source]:
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise ProblemError(
                [Problem(name, None, "", "is a pipe or a device: write what it gives into a file first")]
            )
        source = Source(name, folder, status.st_size, lambda: path.open("rb"))
        with path.open("rb") as file:
            if zipfile.is_zipfile(file):
                members, table = directory(file)
                _check_count(members, name)
                if table > LARGEST_DIRECTORY:
                    raise ProblemError([Problem(name, None, "", _TOO_MANY)])
                return _zipped(path, name, kept)
        with source.bytes() as stream:
            begin = stream.peek(512)[:512]
            return _packed(stream, name, kept) if begin[257:262] == b"ustar" else [source]
    except OSError as error:
        message = unreadable(error)
        raise ProblemError([Problem(name, None, "", message)]) from None
    except BROKEN as error:
        if isinstance(error, ProblemError):
            raise
        in_words = isinstance(error, (tarfile.TarError, zipfile.BadZipFile, RuntimeError))
        reason = error if in_words else "what it says of its files cannot be"
        raise ProblemError([Problem(name, None, "", f"the archive is broken: {reason}; make it again")]) from None


def _zipped(path: Path, name: str, kept: ExitStack) -> list[Source]:
    archive = kept.enter_context(zipfile.ZipFile(path))
    members = [info for info in archive.infolist() if not info.is_dir()]
    _check_count(len(members), name)

    def opener(member: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
        return lambda: _member(partial(unlocked, archive), member)

    largest = path.stat().st_size  # whatever the archive says
    return [
        Source(
            f"{name}!{member.filename}",
            _folder(name, member.filename),
            min(member.compress_size, largest),
            opener(member),
        )
        for member in members
    ]


class _Header(tarfile.TarInfo):
    """What a tar archive says of a file, which never lets us ask for more memory or look further than there can be."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """Return what a block says.

        Raises:
            TarError: it is no header, or of a size that no archive holds.
        """
        made = super().frombuf(buf, encoding, errors)
        is_read_whole = made.type not in (*tarfile.REGULAR_TYPES, tarfile.GNUTYPE_SPARSE)
        if not 0 <= made.size <= (LARGEST_HEADER if is_read_whole else LARGEST_ARCHIVE):
            raise tarfile.ReadError(f"a file in it is said to have {made.size:.3g} bytes")
        return made


def _packed(stream: IO[bytes], name: str, kept: ExitStack) -> list[Source]:
    """Return the files of a tar archive, which is unpacked into one file for the time of the import."""
    whole = kept.enter_context(_unpacked(stream, name))
    archive = kept.enter_context(tarfile.TarFile(fileobj=whole, tarinfo=_Header))
    members = []
    for number, info in enumerate(archive, 1):  # folders, links and devices count, too, and are left out
        _check_count(number, name)
        if info.isfile():
            members.append(info)

    def opener(member: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
        def opened() -> IO[bytes]:
            file = _member(archive.extractfile, member)
            assert file is not None  # as it is a file
            return file

        return opened

    return [Source(f"{name}!{info.name}", _folder(name, info.name), info.size, opener(info)) for info in members]


def _member(opened: Callable[[M], F], member: M) -> F:
    """Return a file of an archive, opened.

    Raises:
        OSError: the archive is damaged there.
    """
    try:
        return opened(member)
    except BROKEN as error:
        raise OSError(str(error)) from None


@contextmanager
def _unpacked(stream: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as whole:
        size = 0
        while piece := stream.read(_PIECE):
            size += whole.write(piece)
            if size > LARGEST_ARCHIVE:
                raise ProblemError([Problem(name, None, "", f"larger than {LARGEST_ARCHIVE >> 30} GiB when unpacked")])
        whole.seek(0)
        yield whole


def _check_count(count: int, name: str) -> None:
    if count > MOST_FILES:
        raise ProblemError(
            [Problem(name, None, "", f"more than {MOST_FILES:,} files in it: import them folder by folder")]
        )


def _folder(archive: str, member: str) -> str:
    return f"{archive}!{PurePosixPath(member).parent}"


def chained(parts: Sequence[Source]) -> Source:
    """Return several files as one, which is read as if they stood one after the other."""
    first = parts[0]
    return first if len(parts) == 1 else _Chain.of(parts)


class _Chain(Source):
    """Files that follow each other."""

    __slots__ = ("_parts",)
    _parts: Sequence[Source]

    @classmethod
    def of(cls, parts: Sequence[Source]) -> _Chain:
        made = cls(parts[0].name, parts[0].folder, sum(part.size for part in parts), parts[0].opened)
        made._parts = parts
        return made

    def lines(self) -> Iterator[tuple[int, str]]:
        for part in self._parts:
            yield from part.lines()
            self.cut = self.cut or part.cut

    def text(self) -> str:
        return "".join(f"{part.text()}\n" for part in self._parts)
