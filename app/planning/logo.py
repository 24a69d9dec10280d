"""The picture of a plan's report: a file that may come from anybody, read with care and drawn anew."""

from __future__ import annotations

import io
import os
from pathlib import Path

from models.problem import Problem, ProblemError
from profiles.loading.reach import real

MOST_BYTES = 2_000_000
MOST_PIXELS = 2000
"""Of a side. Assumption: no logo on paper needs more."""
HEIGHT = 160
"""Pixels of its height in a report, which is some 12 mm at 300 dots an inch."""
KINDS = ("PNG", "JPEG")
BEGINNINGS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")
LONGEST = max(map(len, BEGINNINGS))


def picture(name: str, plan: Path) -> bytes:
    """Return the picture that a plan names as a PNG of our own making, no bytes where it names none.

    The file lies in the folder of the plan or below it, so that a plan of others reaches nothing else.

    Raises:
        ProblemError: it does not, or is no such picture.
    """
    return _drawn(plan, name, content) if (content := _content(name, plan)) else b""


def check(name: str, plan: Path) -> None:
    """Look at the beginning of the picture that a plan names, if it names one: no more of it is read.

    Raises:
        ProblemError: there is no such file, or it is no picture, as far as its beginning tells.
    """
    content = _content(name, plan, LONGEST)
    if name and not content.startswith(BEGINNINGS):
        raise _refused(plan, f"expected a picture, {' or '.join(KINDS)}", name)


def _content(name: str, plan: Path, most: int = -1) -> bytes:
    """Return what is in the file of a picture, of which it is known that one may read it; nothing without a name."""
    if not name:
        return b""
    folder = real(plan.parent)
    path = Path(name)
    if path.is_absolute() or path.drive or ".." in path.parts or not real(folder / path).is_relative_to(folder):
        raise _refused(plan, "expected a file in the folder of the plan or below", name)
    file = folder / path
    if not os.path.isfile(file):
        raise _refused(plan, "there is no such file", name)
    if file.stat().st_size > MOST_BYTES:
        raise _refused(plan, f"expected at most {MOST_BYTES // 1_000_000} MB", name)
    with file.open("rb") as opened:
        return opened.read(most)


def _drawn(plan: Path, name: str, content: bytes) -> bytes:
    from PIL import Image, UnidentifiedImageError  # imported late: few plans have a picture

    try:
        with Image.open(io.BytesIO(content), formats=KINDS) as image:
            is_small = max(image.size) <= MOST_PIXELS
            made = image.convert("RGBA") if is_small else None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise _refused(plan, f"expected a picture, {' or '.join(KINDS)}", name) from error
    if made is None:
        raise _refused(plan, f"expected at most {MOST_PIXELS} pixels a side", name)
    if made.height > HEIGHT:
        made = made.resize((max(round(made.width * HEIGHT / made.height), 1), HEIGHT))
    file = io.BytesIO()
    made.save(file, "PNG")
    return file.getvalue()


def _refused(plan: Path, expected: str, name: str) -> ProblemError:
    return ProblemError([Problem(f"{plan}", None, "logo", f"{expected} (got '{name}')")])
