"""What the packaged program keeps of Babel's data."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel import localedata

from app.reports.locales import locale_of
from package.locales import reduce


def test_every_locale_writes_numbers_with_its_marks_when_all_else_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = localedata.locale_identifiers()
    known = [locale_of(name) for name in names]
    sources = [Path(localedata.resolve_locale_filename(name)) for name in (*names, "root")]
    for source in sources:
        reduce(source, tmp_path)
    monkeypatch.setattr(localedata, "_dirname", str(tmp_path))
    monkeypatch.setattr(localedata, "_cache", {})
    assert [locale_of(name) for name in names] == known
    assert len({(locale.decimal, locale.group) for locale in known}) > 5
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < sum(path.stat().st_size for path in sources) / 100
