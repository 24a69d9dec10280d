"""What leaving outcomes out came to, as it is kept beside the profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.outcome import Errors, LeftOut
from profiles.loading.catalog import Catalog
from profiles.shipped import outcomes


def test_what_leaving_out_came_to_is_read_again_as_it_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "measurements").mkdir()
    monkeypatch.setattr(outcomes, "SHIPPED", Catalog(tmp_path))
    assert outcomes.left_out() is None
    kept = LeftOut(
        "0.1.0",
        {"copy/a": None, "copy/b": 0.25, "hepix/c": None},
        {"copy": {"all": None}, "hepix": {"one": Errors(2, 0.1, 0.15)}},
        {"copy/a": (80.0, 2400.0), "hepix/c": (1.0, 3.0)},
    )
    outcomes.keep_left_out(kept)
    assert outcomes.left_out() == kept
    fresh = LeftOut("0.2.0", {"copy/a": 0.5}, {}, {})
    outcomes.keep_left_out(fresh)
    beside = LeftOut("0.2.0", {**kept.errors, **fresh.errors}, kept.together, {"hepix/c": (1.0, 3.0)})
    assert outcomes.left_out() == beside
