"""Values of overrides: TOML where they are, else the text as it stands."""

from __future__ import annotations

import tomllib

import pytest

from profiles.loading.overrides import value_of
from profiles.text.toml import parsed


@pytest.mark.parametrize("text", ["25 Gbit/s", "1.5 TB", "-3 s", "+1e-3 ns/B", "1.2.3 x", "00 B", '2 TB"'])
def test_what_begins_as_a_quantity_stays_the_text_that_toml_refuses(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        parsed(f"value = {text}")
    assert value_of(text) == text


@pytest.mark.parametrize(
    ("text", "value"), [("12", 12), ("1e-3", 1e-3), ("[1, 2]", [1, 2]), ("true", True), ("12 # so many", 12)]
)
def test_what_is_toml_is_read_as_such(text: str, value: object) -> None:
    assert value_of(text) == value
