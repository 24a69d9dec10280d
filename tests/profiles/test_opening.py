"""Files of any packing and encoding give the same lines, in bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import lz4.block
import lz4.frame
import pytest
import zstandard

from models.problem import ProblemError
from profiles.imports import opening
from profiles.imports.opening import sources
from profiles.imports.reading import read_files
from profiles.imports.zipped import _HEADER, directory

TEXT = "erste\nzweite ä\n"
LINES = [(1, "erste"), (2, "zweite ä")]


def java_blocks(data: bytes) -> bytes:
    packed: bytes = lz4.block.compress(data, store_size=False)
    end = _HEADER.pack(b"LZ4Block", 0x16, 0, 0, 0)
    return _HEADER.pack(b"LZ4Block", 0x26, len(packed), len(data), 0) + packed + end


def several_frames(data: bytes) -> bytes:
    half = len(data) // 2
    return zstandard.compress(data[:half]) + zstandard.compress(data[half:])


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstandard": zstandard.compress,
    "zstandard frames": several_frames,
    "lz4": lz4.frame.compress,
    "lz4 of Java": java_blocks,
}


def written(folder: Path, data: bytes, name: str = "x") -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


@pytest.mark.parametrize("packed", PACKINGS.values(), ids=PACKINGS)
def test_a_file_is_read_whatever_packs_it(tmp_path: Path, packed: Callable[[bytes], bytes]) -> None:
    with sources([written(tmp_path, packed(TEXT.encode()))]) as (source,):
        assert list(source.lines()) == LINES
        assert (source.text(), source.head(), source.cut) == (TEXT, TEXT, "")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_is_read_in_any_encoding_with_any_ends_of_lines(tmp_path: Path, encoding: str, end: str) -> None:
    with sources([written(tmp_path, TEXT.replace("\n", end).encode(encoding))]) as (source,):
        assert list(source.lines()) == LINES


@pytest.mark.parametrize("packed", PACKINGS.values(), ids=PACKINGS)
def test_a_packed_file_with_old_ends_of_lines_has_lines(tmp_path: Path, packed: Callable[[bytes], bytes]) -> None:
    data = "".join(f"line {i * 7919 % 10007}\r" for i in range(20_000)).encode()
    with sources([written(tmp_path, packed(data))]) as (source,):
        assert sum(1 for _ in source.lines()) == 20_000
        assert "\r" not in source.head()


def test_a_line_that_a_tool_wrote_over_stays_one(tmp_path: Path) -> None:
    with sources([written(tmp_path, b"begun\n1 MB copied\r2 MB copied\n")]) as (source,):
        assert list(source.lines()) == [(1, "begun"), (2, "1 MB copied\r2 MB copied")]


@pytest.mark.parametrize("packed", PACKINGS.values(), ids=PACKINGS)
def test_a_packed_file_that_breaks_off_gives_what_stands_before(
    tmp_path: Path, packed: Callable[[bytes], bytes]
) -> None:
    data = packed("".join(f"line {i * 7919 % 10007}\n" for i in range(20_000)).encode())
    with sources([written(tmp_path, data[: 3 * len(data) // 4])]) as (source,):
        for number, line in source.lines():
            assert number > 1 or line == "line 0"
        assert source.cut or packed is bytes


def test_frames_of_which_the_last_is_not_there_as_a_whole_break_off(tmp_path: Path) -> None:
    first, second = zstandard.compress(b"first\n"), zstandard.compress(b"second\n")
    with sources([written(tmp_path, first + second[:-2])]) as (source,):
        assert next(source.lines()) == (1, "first")
        assert source.text().startswith("first\n")
        assert source.cut == "its last frame has no end"


def test_files_of_folders_and_archives_are_read_each_with_the_folder_it_lies_in(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    written(inside, b"plain\n", "a")
    with tarfile.open(inside / "b.tar.gz", "w:gz") as archive:
        for name in ("server-01/lscpu", "../../server-02/lscpu"):
            member = tarfile.TarInfo(name)
            member.size = 2
            archive.addfile(member, io.BytesIO(b"x\n"))
    with zipfile.ZipFile(inside / "c.zip", "w") as zipped:
        zipped.writestr("d/e", "y\n")
    with sources([str(inside)]) as files:
        opened = [(source.folder.rpartition("/in")[2], source.text()) for source in files]
    assert opened == [
        ("", "plain\n"),
        ("/b.tar.gz!server-01", "x\n"),
        ("/b.tar.gz!../../server-02", "x\n"),
        ("/c.zip!d", "y\n"),
    ]
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["a", "b.tar.gz", "c.zip"]


def zipped(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log", data)
    return packed.getvalue()


GROWN = "grows to more than 500 times its size: no log does; left out: unpack it to read it all the same"
MANY = "grows to more than 2 lines for each of its bytes: no log does; left out: unpack it to read it all the same"
BOMBS: dict[str, tuple[Callable[[bytes], bytes], bytes, str]] = {
    "letters in gzip": (gzip.compress, b"x" * 2**25, GROWN),
    "letters in a zip": (zipped, b"x" * 2**25, GROWN),
    "short lines in bzip2": (bz2.compress, b"{}\n" * 2**21, MANY),
    "short lines in Zstandard": (zstandard.compress, b"\r" * 2**22, MANY),
    "blank lines in a zip": (zipped, b"\n" * 2**22, MANY),
}


@pytest.mark.parametrize(("pack", "data", "why"), BOMBS.values(), ids=BOMBS)
def test_what_grows_as_no_log_does_is_refused_in_a_second(
    pack: Callable[[bytes], bytes], data: bytes, why: str, tmp_path: Path
) -> None:
    with sources([written(tmp_path, pack(data))]) as (source,):
        with pytest.raises(ProblemError) as refused:
            for _ in source.lines():
                pass
        assert str(refused.value) == f"{source.name}: {why}"


def test_a_line_and_a_text_beyond_all_bounds_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONGEST_LINE", 10)
    monkeypatch.setattr(opening, "LARGEST_TEXT", 10)
    with sources([written(tmp_path, b"short\n" + b"x" * 20)]) as (source,):
        with pytest.raises(ProblemError, match="x:2: a line of more than"):
            list(source.lines())
        with pytest.raises(ProblemError, match="larger than"):
            source.text()


def test_a_long_line_counts_by_its_bytes_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_PIECE", 1000)
    monkeypatch.setattr(opening, "LONGEST_LINE", 9000)
    for letter, is_read in (("x", True), ("\N{GRINNING FACE}", False)):
        with sources([written(tmp_path, f"a\n{letter * 5000}\nb\n".encode())]) as (source,):
            if is_read:
                assert [len(line) for _, line in source.lines()] == [1, 5000, 1]
            else:
                with pytest.raises(ProblemError, match="x:2: a line of more than"):
                    list(source.lines())


def test_a_zip_says_its_members_before_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(70_000):  # more than fit into the two bytes of a small archive
            archive.writestr(zipfile.ZipInfo(f"{number}"), b"")
    with path.open("rb") as file:
        members, size = directory(file)
    assert (members, size > 46 * members) == (70_000, True)
    monkeypatch.setattr(zipfile, "ZipFile", None)  # which reads them all
    for name in ("MOST_FILES", "LARGEST_DIRECTORY"):
        monkeypatch.setattr(opening, name, 60_000)
        with pytest.raises(ProblemError, match="more "), sources([str(path)]):
            pass
        monkeypatch.setattr(opening, name, 10**9)


def test_a_broken_archive_in_a_folder_stops_no_other_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x", TEXT)
    broken = (tmp_path / "a.zip").read_bytes().replace(b"PK\x01\x02", b"PK\xff\xff")
    (tmp_path / "a.zip").write_bytes(broken)
    written(tmp_path, TEXT.encode())
    with sources([str(tmp_path)]) as (refused, good):
        assert good.text() == TEXT
        with pytest.raises(ProblemError, match=r"a\.zip: the archive is broken"):
            refused.head()


def _with_size(kind: bytes, size: int) -> bytes:
    """Return a tar archive whose only header states a kind of file and a size."""
    info = tarfile.TarInfo("a")
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT) + TEXT.encode().ljust(512, b"\0") + bytes(1024)


def _with_further(**headers: str) -> bytes:
    """Return a tar archive of one file with further headers."""
    info, made = tarfile.TarInfo("a"), io.BytesIO()
    info.pax_headers = headers
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info)
    return made.getvalue()


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (_with_size(tarfile.REGTYPE, 2**63), "a file in it is said to have 9.22e+18 bytes"),
        (_with_size(tarfile.REGTYPE, 2**62), "a file in it is said to have 4.61e+18 bytes"),
        (_with_size(tarfile.REGTYPE, -512), "a file in it is said to have -512 bytes"),
        (_with_size(tarfile.GNUTYPE_SPARSE, 2**62), "a file in it is said to have 4.61e+18 bytes"),
        (_with_size(tarfile.GNUTYPE_LONGNAME, 2**62), "a file in it is said to have 4.61e+18 bytes"),
        (_with_size(tarfile.GNUTYPE_LONGLINK, 2**31), "a file in it is said to have 2.15e+09 bytes"),
        (_with_size(tarfile.XHDTYPE, 2**31), "a file in it is said to have 2.15e+09 bytes"),
        (_with_size(tarfile.XGLTYPE, 2**62), "a file in it is said to have 4.61e+18 bytes"),
        (_with_further(size="9" * 30), "what it says of its files cannot be"),
    ],
    ids=range(9),
)
def test_sizes_that_no_archive_has_are_told_before_memory_is_asked_for_them(
    tmp_path: Path, archive: bytes, reason: str
) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(archive)
    with pytest.raises(ProblemError) as refused, sources([str(path)]):
        pass
    assert str(refused.value) == f"{path}: the archive is broken: {reason}; make it again"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_a_pipe_and_a_device_are_refused_before_they_are_opened(tmp_path: Path, name: str) -> None:
    path = tmp_path / name  # of an absolute name only that
    if not path.exists():
        os.mkfifo(path)
    with pytest.raises(ProblemError, match="is a pipe or a device"), sources([str(path)]):
        pass


def test_progress_is_counted_in_bytes_of_the_disk(tmp_path: Path) -> None:
    counted: list[int] = []
    data = gzip.compress(TEXT.encode())
    with sources([written(tmp_path, data)], on_bytes=counted.append) as (source,):
        list(source.lines())
        assert sum(counted) == len(data)


def test_a_path_that_is_not_there_is_refused_by_its_name() -> None:
    with pytest.raises(
        ProblemError, match="nowhere: cannot be read: no such file or directory; name one that is there"
    ):
        read_files(["nowhere"])


@pytest.mark.parametrize("damage", ["another name", "another way of packing", "encrypted", "a wrong byte"])
def test_a_member_of_an_archive_that_is_damaged_is_told_by_its_name(tmp_path: Path, damage: str) -> None:
    packed = tmp_path / "collected.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("first.log", "text of a log\n" * 50)
    data = bytearray(packed.read_bytes())
    name, end = data.find(b"first.log"), data.rfind(b"PK\x01\x02")
    if damage == "another name":
        data[name] ^= 1
    elif damage == "another way of packing":
        data[8] = data[end + 10] = 99
    elif damage == "encrypted":
        data[6] |= 1
        data[end + 8] |= 1
    else:
        data[name + 9] ^= 0xFF
    packed.write_bytes(data)
    with sources([str(packed)]) as (source,), pytest.raises(ProblemError, match=r"collected.zip!first.log: cannot be"):
        source.text()


def test_what_is_encrypted_is_told_with_the_way_out(tmp_path: Path) -> None:
    packed = tmp_path / "collected.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("first.log", "text of a log\n")
    data = bytearray(packed.read_bytes())
    data[6] |= 1
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    packed.write_bytes(data)
    with sources([str(packed)]) as (source,), pytest.raises(ProblemError, match="unpack it with its password"):
        source.text()


def test_a_file_whose_middle_is_no_data_ends_there_and_its_decoder_is_not_asked_again(tmp_path: Path) -> None:
    data = bytearray(bz2.compress(b"".join(f"{n} line of a log\n".encode() for n in range(200_000))))
    data[len(data) // 2 : len(data) // 2 + 40] = b"\xff" * 40
    (tmp_path / "log").write_bytes(data)
    with sources([str(tmp_path / "log")]) as (source,):
        with source.bytes() as stream:
            while stream.read(8192):
                pass
            assert stream.read(8192) == b""
        assert "invalid data" in source.cut
        assert sum(1 for _ in source.lines()) < 200_000


def test_an_archive_of_more_members_than_any_has_is_refused_before_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MOST_FILES", 10)
    with tarfile.open(tmp_path / "many.tar", "w") as archive:
        for number in range(11):
            member = tarfile.TarInfo(f"folder-{number}")
            member.type = tarfile.DIRTYPE
            archive.addfile(member)
    with pytest.raises(ProblemError, match="more than 10 files in it"), sources([str(tmp_path / "many.tar")]):
        pass
