"""What is known of a key of the profile, as a page: from the models, the reference, the profile and the docs."""

from __future__ import annotations

from collections.abc import Callable

from app.gui.session.profile_tree import Entry
from app.gui.shell.help_pages import ReferenceRow, mentions, reference_rows, reference_topic
from app.reports.media import rich


def key_page(entry: Entry, problem: str, typed: Callable[[str], str]) -> str:
    """Return a page in HTML; `problem` is what is wrong with the key, `typed` says what another key holds."""
    row = _row(entry, typed)
    rows = (
        ("Value", entry.typed),
        ("Unit", entry.unit),
        ("Allowed", entry.bounds or " or ".join(entry.choices[:8])),
        ("Default", row.default if row else ""),
        ("Source", entry.source),
        ("Range", entry.range),
        ("Stated in", entry.place),
    )
    text = "".join(f"<p><b>{label}</b><br>{rich(words)}</p>" for label, words in rows if words)
    mistake = f"<p><b>Problem</b><br>{rich(problem)}</p>" if problem else ""
    name = rich(entry.key).replace(".", ".<wbr>")
    return f"<p><b>{name}</b></p><p>{rich(entry.description)}</p>{mistake}{text}{_links(entry, row)}"


def _row(entry: Entry, typed: Callable[[str], str]) -> ReferenceRow | None:
    """Return the row of the reference for a key: of several kinds of tables that of the kind that stands there."""
    rows = reference_rows(entry.key)
    fitting = [row for row in rows if _is_chosen(row, typed)]
    return next((row for row in [*fitting, *rows] if row.meaning == entry.description), rows[0] if rows else None)


def _is_chosen(row: ReferenceRow, typed: Callable[[str], str]) -> bool:
    key, _, value = row.choice.partition(" = ")
    table = row.topic.title.partition(", ")[0]
    return bool(row.choice) and typed(f"{table}.{key}") == value.strip('"')


def _links(entry: Entry, row: ReferenceRow | None) -> str:
    section = row.topic if row else reference_topic(entry.key)
    pages = [(section.address, f"{section.title} – {section.about}")] if section else []
    pages += [(topic.address, f"{topic.title} – {topic.about}") for topic in mentions(entry.name)] if row else []
    links = "<br>".join(f'<a href="help:{address}">{rich(title)}</a>' for address, title in pages)
    return f"<p><b>Read on</b><br>{links}</p>" if links else ""
