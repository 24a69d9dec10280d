"""Every number that is assumed or a prior says between what 90 % of the world lies: in profiles and in declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.cli.reference import sections
from profiles.loading.catalog import SHIPPED
from profiles.text.document import Document
from profiles.text.provenance import UNSURE, read_source
from profiles.text.tree import leaves

NUMBER = re.compile(r"[\d.,]+(e[+-]?\d+)?( ?[A-Za-z%µ][\w%µ/.-]*)?")
BESIDE = {"fits", "measurements"}  # what is no profile and no part of one


def bare() -> Iterator[str]:
    """Yield the numbers of the shipped files that are not sure and do not say how far."""
    for path in sorted(SHIPPED.root.rglob("*.toml")):
        if path.parent.name in BESIDE:
            continue
        tree = Document(path.read_text(encoding="utf-8"), path.name).tree()
        assert tree is not None, path
        for key, leaf in leaves(tree):
            is_number = isinstance(leaf.value, (int, float)) and not isinstance(leaf.value, bool)
            is_unsure = leaf.source is not None and leaf.source.kind in UNSURE and leaf.range is None
            if is_unsure and (is_number or (isinstance(leaf.value, str) and NUMBER.fullmatch(leaf.value))):
                yield f"{path.parent.name}/{path.name}: {'.'.join(map(str, key))}"


def test_assumed_numbers_and_priors_of_the_shipped_files_have_ranges() -> None:
    assert list(bare()) == []


def test_assumed_defaults_and_priors_have_ranges_and_their_sources_a_kind() -> None:
    lines = [line for section in sections() for line in section.lines if line.source]
    assert lines
    for line in lines:
        kind = read_source(line.source, line.key).kind
        assert line.default is None or kind not in UNSURE or line.between, line.key
