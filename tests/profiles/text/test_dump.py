"""Profiles as the program writes them."""

from __future__ import annotations

import tomllib

from models.hidden import HIDDEN
from profiles.text.dump import dump


def test_what_a_text_hides_is_written_as_its_escape_and_read_as_it_was() -> None:
    codes = (*range(0x80), *range(0x80, 0xA0), *range(0x2000, 0x2070), 0x61C, 0xFEFF, 0x1D173, 0xE0041)
    text = "\\u009b 'a' \"b\" 漢" + "".join(map(chr, codes))
    data = {text: {"title": text, "rows": [text, {text: text}]}}
    written = dump(data)
    assert HIDDEN.search(written) is None
    assert tomllib.loads(written) == data
