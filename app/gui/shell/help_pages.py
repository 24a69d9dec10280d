"""The pages of docs/ in sections, searched by words, and the rows of the reference found by key. Knows no Qt.

Nothing is said twice: what the window shows as help is these pages, and what the models declare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FIRST, REFERENCE = "window.md", "reference.md"
FENCE = re.compile(r"^```")
HEADING = re.compile(r"^(#{1,3}) +(.+)")
ROW = re.compile(r"^\| `([^`]+)` \| (.*) \|$")


@dataclass(frozen=True, slots=True)
class Topic:
    """A section of a page in Markdown, with what stands below its heading up to the next of at least its level."""

    page: str
    title: str
    anchor: str
    level: int
    text: str
    about: str

    @property
    def address(self) -> str:
        """Where links find it: PAGE.md#ANCHOR."""
        return f"{self.page}#{self.anchor}"


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """What the reference says of a key: its pattern from the root, with NAME for names of one's choice."""

    pattern: str
    choice: str
    meaning: str
    default: str
    topic: Topic


def docs_folder() -> Path:
    """Return the folder of the pages.

    An installed wheel has them as app/docs (pyproject.toml: force-include), a checkout beside its packages, a packed
    program beside the folder that holds its modules (package/build.py: add_papers).
    """
    package = Path(__file__).resolve().parents[2]
    places = (package / "docs", package.parent / "docs", package.parent.parent / "docs")
    return next((place for place in places if (place / FIRST).is_file()), places[0])


@cache
def topics() -> tuple[Topic, ...]:
    """Return the sections of all pages: the window first, the reference, which is written for keys, last."""
    order = {FIRST: 0, REFERENCE: 2}
    paths = sorted(docs_folder().glob("*.md"), key=lambda path: (order.get(path.name, 1), path.name))
    return tuple(topic for path in paths for topic in _sections(path.name, path.read_text(encoding="utf-8")))


def find(address: str) -> Topic | None:
    """Return the section at PAGE.md#ANCHOR, the first of the page without an anchor; None if there is none."""
    page, _, anchor = address.partition("#")
    on_page = [topic for topic in topics() if topic.page == page]
    return next((topic for topic in on_page if topic.anchor == anchor or not anchor), None)


def search(words: str) -> list[Topic]:
    """Return the sections in which all words stand: titles first, then the shortest; all sections for no words."""
    wanted = words.casefold().split()
    if not wanted:
        return list(topics())
    hits = [topic for topic in topics() if all(word in f"{topic.title} {topic.text}".casefold() for word in wanted)]
    return sorted(hits, key=lambda topic: (not _is_titled(topic, wanted), topic.page == REFERENCE, len(topic.text)))


@cache
def mentions(name: str) -> list[Topic]:
    """Return the innermost sections, but for those of the reference, that write a name as code."""
    word = re.compile(rf"`(?:[\w.]*\.)?{re.escape(name)}(?: =[^`]*)?`")
    hits = [topic for topic in topics() if topic.page != REFERENCE and word.search(topic.text)]
    return [topic for topic in hits if not any(_is_within(other, topic) for other in hits if other is not topic)]


@cache
def reference() -> tuple[ReferenceRow, ...]:
    """Return all rows of the reference."""
    return tuple(row for topic in topics() if topic.page == REFERENCE and topic.level == 2 for row in _rows(topic))


def reference_rows(key: str) -> list[ReferenceRow]:
    """Return the rows that describe a key: several where tables of different kinds may stand at its place."""
    steps = key.split(".")
    return [row for row in reference() if _fits(row.pattern.split("."), steps)]


def reference_topic(key: str) -> Topic | None:
    """Return the section of the reference that describes a key, or what may stand below it; None for none."""
    steps = key.split(".")
    rows = (row for row in reference() if _fits(row.pattern.split(".")[: len(steps)], steps))
    return next((row.topic for row in rows), None)


def _sections(page: str, text: str) -> Iterator[Topic]:
    lines = text.splitlines()
    heads = list(_headings(lines))
    for number, (start, level, title) in enumerate(heads):
        end = next((at for at, other, _ in heads[number + 1 :] if other <= level or level == 1), len(lines))
        plain = title.replace("`", "")
        yield Topic(page, plain, slug(title), level, "\n".join(lines[start:end]), heads[0][2])


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield line, level and title of each heading outside of blocks."""
    is_block = False
    for number, line in enumerate(lines):
        is_block ^= bool(FENCE.match(line))
        match = None if is_block else HEADING.match(line)
        if match:
            yield number, len(match[1]), match[2]


def slug(title: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _is_titled(topic: Topic, wanted: Sequence[str]) -> bool:
    return all(word in topic.title.casefold() for word in wanted)


def _is_within(inner: Topic, outer: Topic) -> bool:
    return inner.page == outer.page and inner.level > outer.level and inner.text in outer.text


def _rows(topic: Topic) -> Iterator[ReferenceRow]:
    path, _, choice = topic.title.partition(", ")
    for line in topic.text.splitlines():
        match = ROW.match(line)
        if match:
            _, meaning, default, _ = (f"{match[2]} ".split(" | ") + [""] * 3)[:4]
            yield ReferenceRow(f"{path}.{match[1]}", choice, meaning.strip(), default.strip(), topic)


def _fits(pattern: Sequence[str], steps: Sequence[str]) -> bool:
    return len(pattern) == len(steps) and all(
        wanted in ("NAME", step) or (wanted.isdecimal() and step.isdecimal())
        for wanted, step in zip(pattern, steps, strict=True)
    )
