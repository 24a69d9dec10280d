"""What of Babel's data the packaged program needs: how each locale writes numbers, of which it keeps all."""

from __future__ import annotations

import pickle
from pathlib import Path

NEEDED = "number_symbols"
"""What `app.reports.locales` asks of a locale; the rest are names of countries, days and units."""


def reduce(source: Path, folder: Path) -> Path:
    """Write what is needed of a locale's data into a folder, and return the file."""
    known = pickle.loads(source.read_bytes())
    reduced = folder / source.name
    reduced.write_bytes(pickle.dumps({NEEDED: known.get(NEEDED, {})}))
    return reduced
