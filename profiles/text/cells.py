"""Cells of tables whose values are separated by commas, or other letters, and what keeps a line from being one."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator


def cells_of(line: str) -> list[str]:
    """Return the cells of a line.

    Raises:
        ValueError: it has a cell that is too long to be one.
    """
    return next((row for _, row in cell_rows([line])), [])


def cell_rows(lines: Iterable[str], separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of lines, each with the line at which it ends, from 1.

    Raises:
        ValueError: one has a cell that is too long to be one.
    """
    reader = csv.reader(lines, delimiter=separator)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        if "limit" not in str(error):
            raise ValueError(f"no table: {error}") from None
        most = f"a cell of more than {csv.field_size_limit():,} letters"
        raise ValueError(f"{most}; a quotation mark before it may lack the one that ends its cell") from None
