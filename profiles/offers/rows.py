"""Reads the rows of a quotation, .xlsx or .csv: what is offered, how many, and the price of one.

The headings say which column is which. A cell is taken as it is: no formula is evaluated, and where one stands in place
of a number, the row is refused. Amounts carry a currency, in the cell, its format or the heading, or one is given.
"""

from __future__ import annotations

import io
import math
import re
import shutil
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from models.problem import Problem, ProblemError
from models.units import CURRENCIES, either
from profiles.text.cells import cell_rows
from profiles.text.files import refuse_stream, unreadable

LARGEST = 2**24
"""Bytes of a quotation, at most. Assumption: a hundred times those of common ones."""
OPENED = 2**27
"""Bytes that a workbook opens into, at most. Assumption: eight times its own largest size."""
MOST_ROWS = 10_000
MOST_COLUMNS = 100
LONGEST_TEXT = 5_000
"""Letters of what is offered. Assumption: a server with all its options has a tenth."""
MOST_TAGS = 1_000_000
"""Tags of a workbook. Assumption: as many rows as may be, of 25 cells with four tags each."""
LONGEST_TAG = 2**20
"""Bytes of a tag, or of the text behind it. Assumption: a cell holds 32,767 letters. What reads XML begins a tag anew
with each piece of the file, so that the time of one grows by the square."""
_LONG_TAG = re.compile(rb"(?:\A|<)[^<]{%d}" % LONGEST_TAG)
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "text": (
        r"description|position text|bezeichnung|beschreibung|désignation|libellé",
        r"item|product|article|artikel",
    ),
    "count": (r"qty|quantity|count|pieces|menge|anzahl|quantité|qté",),
    "price": (
        r"unit (?:price|cost)|price (?:each|per unit|of one)|net price|einzelpreis|stückpreis|nettopreis"
        r"|prix (?:unitaire|net)|p\.?u\.?\b",
        r"(?:(?:list )?price|(?:listen)?preis|prix)\s*(?:[(,].*)?$",
    ),
    "discount": (r"discount|rabatt|nachlass|remise",),
    "total": (r"total|amount|extended|gesamt|summe|line price",),
}
"""Words by which the heading of each column is known, the surest first: an article may be its number alone."""
NET, LIST = r"net\b|netto|prix net", r"list|listen|gross|brutto|prix (?:public|brut|catalogue)|tarif"
"""Words of the prices after and before a discount, where a quotation has a column for each."""
SUMS = (
    r"(?:sub-?|grand )?total|sum\b|net\b|tax\b|vat\b|(?:zwischen|gesamt)?summe|gesamt|netto|brutto|mwst|ust\b|übertrag"
)
"""Words with which a row begins that adds up others."""
ROUNDED = 0.01
"""Part by which a total may differ from quantity and price. Assumption: prices are rounded to cents."""
SYMBOLS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}
WAY_OUT = "write headings such as Description, Quantity and Unit price, or name them in the [columns] of --map FILE"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is stored: a number or text, whether it is a formula, and how it is shown."""

    value: object = None
    is_formula: bool = False
    format: str = ""

    @property
    def text(self) -> str:
        """The cell as text, without line ends."""
        return "" if self.value is None else re.sub(r"\s+", " ", f"{self.value}").strip()


NOTHING = Cell()


@dataclass(frozen=True, slots=True)
class Row:
    """What is offered: its row in the file, counted from 1, the words, how many, and the price of one."""

    number: int
    text: str
    count: float
    price: float
    currency: str


def read_rows(path: str, columns: Mapping[str, str], currency: str | None) -> list[Row]:
    """Return the rows of a quotation that have a price.

    `columns` are headings by what they are (text, count, price, total), as far as the usual words do not say so.

    Raises:
        ProblemError: with every row that cannot be understood.
    """
    lines, head, places = _headed(path, _sheets(path), columns)
    problems: list[Problem] = []
    rows = []
    usual = currency or _currency_of(lines[head], places)
    for number, cells in enumerate(lines[head + 1 :], start=head + 2):
        try:
            row = _row(number, cells, places, lines[head], usual)
        except ValueError as error:
            problems.append(Problem(path, number, "", f"{error}"))
            continue
        if row is not None:
            rows.append(row)
    if not rows and not problems:
        problems.append(Problem(path, None, "", "no row below the headings has a price"))
    if problems:
        raise ProblemError(problems)
    return rows


Lines = list[list[Cell]]


def _sheets(path: str) -> list[Lines]:
    try:
        refuse_stream(Path(path))
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ProblemError([Problem(path, None, "", unreadable(error))]) from None
    if len(data) > LARGEST:
        raise ProblemError([Problem(path, None, "", f"is larger than {LARGEST // 2**20} MiB: no quotation")])
    sheets = list(_of_workbook(path, data)) if data[:2] == b"PK" else [list(_of_text(path, data))]
    if any(len(lines) > MOST_ROWS for lines in sheets):
        raise ProblemError([Problem(path, None, "", f"has more than {MOST_ROWS:,} rows: export those of the offer")])
    return sheets


def _of_workbook(path: str, data: bytes) -> Iterator[Lines]:
    """Yield the rows of each sheet; formulas stay what they are."""
    from openpyxl import load_workbook

    if _opened(data) > OPENED:
        raise ProblemError([Problem(path, None, "", f"opens into more than {OPENED // 2**20} MiB: no quotation")])
    try:
        book_as_told = _as_told(data)
        if what := _too_much(book_as_told):
            text = f"holds {what}: copy the rows of the offer into a new workbook"
            raise ProblemError([Problem(path, None, "", text)])
        book = load_workbook(book_as_told, read_only=True, data_only=False)
        for sheet in book.worksheets:
            rows = islice(sheet.iter_rows(max_col=MOST_COLUMNS), MOST_ROWS + 1)
            yield [[NOTHING if cell.value is None else _cell(cell) for cell in row] for row in rows]
    except ProblemError:
        raise
    except _BROKEN:
        damaged = "it is damaged, has a password, or was only named .xlsx"
        text = f"is no workbook that can be read: {damaged}; save it again as .xlsx, or as .csv"
        raise ProblemError([Problem(path, None, "", text)]) from None


_BROKEN = (
    *(ArithmeticError, AttributeError, BadZipFile, EOFError, LookupError, OSError, RuntimeError, SyntaxError),
    *(TypeError, ValueError, zlib.error),
)
"""What the reader of workbooks raises for what is none; of broken XML it is a SyntaxError."""


def _as_told(data: bytes) -> IO[bytes]:
    """Return a workbook whose parts are as large as they say.

    What reads a part whole opens all that it holds at once, and only then looks at what it said.
    """
    made = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as packed, ZipFile(made, "w") as plain:
        for info in packed.infolist():
            with packed.open(info) as part, plain.open(info.filename, "w") as copied:
                shutil.copyfileobj(part, copied)
    return made


def _too_much(book: IO[bytes]) -> str:
    """Return what a workbook has too much of, "" if nothing."""
    tags = 0
    with ZipFile(book) as packed:
        for info in packed.infolist():
            if info.filename.endswith(".xml"):
                part = packed.read(info)
                tags += part.count(b"<")
                if _LONG_TAG.search(part):
                    return f"a tag or a text of more than {LONGEST_TAG:,} letters"
    return f"more than {MOST_TAGS // 4:,} cells and texts" if tags > MOST_TAGS else ""


def _opened(data: bytes) -> int:
    """Return the bytes that a workbook says it opens into; 0 for what is none."""
    try:
        with ZipFile(io.BytesIO(data)) as packed:
            return sum(info.file_size for info in packed.infolist())
    except BadZipFile:
        return 0


def _cell(cell: Any) -> Cell:
    is_formula = cell.data_type == "f"
    return Cell(cell.value, is_formula, f"{getattr(cell, 'number_format', '') or ''}")


def _of_text(path: str, data: bytes) -> Iterator[list[Cell]]:
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise ProblemError([Problem(path, None, "", "is neither a workbook nor text; export it as .xlsx or .csv")])
    if "\0" in text:
        raise ProblemError([Problem(path, None, "", "is neither a workbook nor text; export it as .xlsx or .csv")])
    first = text.partition("\n")[0]
    separator = max(";\t,", key=first.count)
    read = 0
    try:
        for number, row in cell_rows(io.StringIO(text), separator):
            read = number
            yield [Cell(value, value.startswith("=")) for value in row[:MOST_COLUMNS]]
    except ValueError as error:
        what = f"is no CSV that can be read: it has {error}; mend it, or export it as .xlsx"
        raise ProblemError([Problem(path, read + 1, "", what)]) from None


def _headed(path: str, sheets: Sequence[Lines], columns: Mapping[str, str]) -> tuple[Lines, int, dict[str, int]]:
    """Return the rows of the first sheet with headings, the row of these, and the places of the columns.

    Raises:
        ProblemError: there is none with a description and a price.
    """
    for lines in sheets:
        if (head := _head(lines, columns)) is not None:
            return lines, *head
    raise ProblemError([Problem(path, None, "", f"no row has headings for what is offered and its price; {WAY_OUT}")])


def _head(lines: Lines, columns: Mapping[str, str]) -> tuple[int, dict[str, int]] | None:
    """Return the row of the headings and the places of the columns; None without one."""
    for number, cells in enumerate(lines):
        places: dict[str, int] = {}
        for what, words in HEADINGS.items():
            wanted = (re.escape(columns[what]) + "$",) if what in columns else words
            left = [place for place in range(len(cells)) if place not in places.values()]
            known = (place for word in wanted for place in left if _begins(cells[place], word))
            if (place := next(known, None)) is not None:
                places[what] = place
        if "text" in places and ("price" in places or {"total", "count"} <= places.keys()):
            return number, places
    return None


def _begins(cell: Cell, words: str) -> bool:
    return re.match(rf"(?:{words})", cell.text, re.IGNORECASE) is not None


def _currency_of(head: Sequence[Cell], places: Mapping[str, int]) -> str | None:
    return _stated(head[places.get("price", places.get("total", 0))].text)


def _row(
    number: int, cells: Sequence[Cell], places: Mapping[str, int], head: Sequence[Cell], currency: str | None
) -> Row | None:
    """Return a row, None for one without a price, or that adds up others.

    Raises:
        ValueError: a number cannot be understood, with what to do.
    """
    at = {what: cells[place] for what, place in places.items() if place < len(cells) and cells[place].text}
    is_total = "price" not in at
    if "text" not in at or not at.keys() & {"price", "total"}:
        return None
    amount, text = at["total" if is_total else "price"], at["text"]
    if is_total and "count" not in at and _begins(text, SUMS):
        return None
    if len(text.text) > LONGEST_TEXT:
        raise ValueError(f"what is offered has more than {LONGEST_TEXT:,} letters; write what it is in a line")
    if text.is_formula:
        raise ValueError("what is offered is a formula; paste it as a value")
    count = _number(at["count"], "quantity") if "count" in at else 1.0
    price = _number(amount, "price")
    if count <= 0:
        raise ValueError(f"the quantity is {count:g}; remove the row, or state how many")
    if price < 0:
        raise ValueError(f"the price is {price:g}; state a discount as `discount` of the list, and remove the row")
    if not is_total:
        is_open = "discount" in at and not _is_after_discount(head, places)
        price *= 1 - (_share(at["discount"], head[places["discount"]]) if is_open else 0.0)
        _check_total(at.get("total"), count, price)
    told = _stated(amount.text) or _stated(amount.format) or currency
    if told is None:
        raise ValueError(f"the price {amount.text} has no currency; give --currency, one of {either(CURRENCIES)}")
    return Row(number, text.text, count, price / count if is_total else price, told)


def _is_after_discount(head: Sequence[Cell], places: Mapping[str, int]) -> bool:
    """Tell whether prices are net of the discount: another column has those of the list."""
    return _begins(head[places["price"]], NET) and any(_begins(cell, LIST) for cell in head)


def _share(cell: Cell, head: Cell) -> float:
    """Return a discount as a part of the price.

    Raises:
        ValueError: it is none from 0 to 100 %, or nothing says that it is in percent.
    """
    number = _number(Cell(cell.text.rstrip("% ") or cell.value) if isinstance(cell.value, str) else cell, "discount")
    is_part = "%" in cell.format  # which is shown as a hundred times of what is stored
    if not is_part and number and "%" not in f"{cell.text}{head.text}" and "prozent" not in head.text.lower():
        raise ValueError(f"the discount {cell.text} has no unit; write one such as 15 %")
    share = number if is_part else number / 100
    if not 0 <= share < 1:
        raise ValueError(f"the discount is {cell.text}; write one from 0 to 100 %")
    return share


def _check_total(cell: Cell | None, count: float, price: float) -> None:
    """Refuse a row whose total is not its quantity times its price: which of them holds nobody can tell.

    Raises:
        ValueError: it is not.
    """
    if cell is None or cell.is_formula:
        return
    total = _number(cell, "total")
    if abs(count * price - total) > ROUNDED * abs(total):
        way_out = "correct the row, or name the columns of price and discount in the [columns] of --map FILE"
        raise ValueError(f"{count:g} times {price:,.2f} are {count * price:,.2f}, its total is {total:,.2f}; {way_out}")


def _stated(text: str) -> str | None:
    for symbol, name in SYMBOLS.items():
        if symbol in text:
            return name
    return next((name for name in CURRENCIES if re.search(rf"\b{name}\b", text)), None)


def _number(cell: Cell, what: str) -> float:
    """Return a number of a cell.

    Raises:
        ValueError: it is a formula, or text that is no plain number.
    """
    if cell.is_formula:
        raise ValueError(f"the {what} is a formula, which is not evaluated; paste it as a value")
    number = _read_number(cell, what)
    if not math.isfinite(number):
        raise ValueError(f"the {what} is beyond all numbers")
    return number


def _read_number(cell: Cell, what: str) -> float:
    if isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool):
        return float(cell.value) if abs(cell.value) <= sys.float_info.max else math.inf
    bare = re.sub(rf"[\s'\u00a0{''.join(SYMBOLS)}]|{'|'.join(CURRENCIES)}", "", cell.text)
    if not re.fullmatch(r"-?\d[\d.,]*", bare):
        raise ValueError(f"the {what} '{cell.text}' is no number; write one such as 1234.50")
    decimal = max(bare.rfind("."), bare.rfind(","))
    mark = bare[decimal] if decimal >= 0 else ""
    after = len(bare) - decimal - 1
    others = bare.count("." if mark == "," else ",")
    if mark and after == 3 and not others and bare.count(mark) == 1:
        raise ValueError(f"the {what} '{cell.text}' may be thousands or a fraction; write {bare.replace(mark, '')}")
    if mark and bare.count(mark) == 1 and (after != 3 or others):
        whole = re.sub(r"[.,]", "", bare[:decimal])
        return float(f"{whole}.{bare[decimal + 1 :]}")
    return float(re.sub(r"[.,]", "", bare))
