"""Shipped profiles as reports: the list, and one profile or study with every value and its source.

The short forms are for a terminal: sources are numbered, and long values go on below themselves.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from app.reports import words
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table, Verbatim
from app.reports.library.profile_json import of_list, of_profile, of_study
from app.reports.library.profile_values import ListedProfile, ListedStudy, ShownProfile, ShownStudy, ShownValue

LONGEST = 30  # columns of a value beside its key
LISTED = 2  # documented numbers of a profile in the list; more are counted


def whole_list(
    profiles: Sequence[ListedProfile], studies: Sequence[ListedStudy], parts: Mapping[str, Sequence[str]]
) -> Document:
    """Return the profiles by family, the studies of the planner, then the parts to build one's own from."""
    families = groupby(profiles, key=lambda profile: profile.family)
    sections = [Section(name, name, [_family(name, list(rows))]) for name, rows in families]
    commands = [(f"simulate {study.command} --study {study.name}", study.title) for study in studies]
    sections.append(Section("studies", "studies of the planner", [Facts(commands)]))
    named = [(folder, ", ".join(names)) for folder, names in parts.items()]
    sections.append(Section("parts", "parts to build on", [Facts(named)]))
    next_step = "simulate profiles NAME shows one with every number; simulate --profile NAME runs it"
    last = Section("next", "", [Paragraph(next_step)])
    return Document("What ships", [*sections, last], of_list(profiles, studies, parts))


def whole_profile(profile: ShownProfile) -> Document:
    """Return every value of a profile with its source."""
    columns = (Column("key"), Column("value"), Column("kind"), Column("source"))
    rows = [(value.key, shown(value), *_said(value)) for value in profile.values if _is_content(value)]
    about = Section("about", "About", [Paragraph(_about(profile))])
    values = Section("values", "Every value and its source", [Table("Values", columns, rows)])
    return Document(_titled(profile), [about, values], of_profile(profile))


def brief_profile(profile: ShownProfile) -> Document:
    """Return every value of a profile, its source by number, then the sources."""
    numbers: dict[tuple[str, str], int] = {}
    rows = [row for value in profile.values if _is_content(value) for row in _rows(value, _mark(value, numbers))]
    sources = [(f"[{number}]", f"{kind}: {text}") for (kind, text), number in numbers.items()]
    values = Table("Values", (Column("key"), Column("value"), Column("source", "1")), rows)
    blocks: list[Block] = [Paragraph(_about(profile)), values, Facts(sources)]
    return Document(_titled(profile), [Section("values", "", blocks)])


def whole_study(study: ShownStudy) -> Document:
    """Return how a study is run, and the keys that say what it does."""
    command = Verbatim(f"simulate {study.command} --study {shlex.quote(study.name)}")
    rows = [(value.key, shown(value), _default(value)) for value in study.values if value.key != "title"]
    keys = Table("Keys", (Column("key"), Column("value"), Column("")), rows)
    return Document(_titled(study), [Section("values", "", [command, keys])], of_study(study))


def _titled(whole: ShownProfile | ShownStudy) -> str:
    return f"{whole.name}: {whole.title}"


def _default(value: ShownValue) -> str:
    return "default" if value.is_default else ""


def _said(value: ShownValue) -> tuple[str, str]:
    """Return the kind and the words of a value's source."""
    return value.source or (_default(value), "")


def _rows(value: ShownValue, mark: str) -> Iterator[tuple[str, str, str]]:
    """Yield a value as cells: key, value, mark; a long value goes on below itself."""
    first, *rest = textwrap.wrap(shown(value), LONGEST, break_on_hyphens=False) or [""]
    yield value.key, first, mark
    for line in rest:
        yield "", line, ""


def _is_content(value: ShownValue) -> bool:
    """Tell whether a value says what is simulated, not what the profile is about."""
    return not value.key.startswith("profile.")


def shown(value: ShownValue) -> str:
    """Return a value as the profile states it; a default in our units."""
    if not value.is_default:
        return _plain(value.typed)
    is_quantity = value.unit and value.value is not None
    return words.declared(value.value, value.unit or "") if is_quantity else _plain(value.value)


def _plain(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, float):
        return words.number(value)
    return words.as_stated(value)


def _family(name: str, profiles: Sequence[ListedProfile]) -> Table:
    columns = (Column("profile"), Column("what it runs"), Column("documented", "1"))
    return Table(name, columns, [(profile.name, profile.title, _documented(profile)) for profile in profiles])


def _documented(profile: ListedProfile) -> str | None:
    texts = [words.documented(outcome.value, outcome.unit, outcome.role) for outcome in profile.outcomes[:LISTED]]
    more = len(profile.outcomes) - len(texts)
    return "; ".join(texts) + (f" and {more} more" if more else "") or None


def _about(profile: ShownProfile) -> str:
    texts = [
        f"{outcome.metric} {words.documented(outcome.value, outcome.unit, outcome.role)} ({outcome.id})"
        for outcome in profile.outcomes
    ]
    documented = f"documented {', '.join(texts)}" if texts else "nothing documented"
    return f"family {profile.family}, {documented}"


def _mark(value: ShownValue, numbers: dict[tuple[str, str], int]) -> str:
    """Return the number of a value's source, numbering it at its first use."""
    if value.source is None:
        return "default" if value.is_default else "-"
    return f"[{numbers.setdefault(value.source, len(numbers) + 1)}]"
