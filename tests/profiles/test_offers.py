"""Quotations: rows are read as they stand, known by their words or a map, and each price rests on its row."""

from __future__ import annotations

import os
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED

import pytest
from openpyxl import Workbook

from models.hardware.server import Server
from models.planning.components import composition
from models.planning.prices import Prices
from models.problem import ProblemError
from profiles.loading.loader import load, load_text
from profiles.offers.maps import read_map
from profiles.offers.parts import Mapped, mapped
from profiles.offers.price_list import price_list
from profiles.offers.rows import Row, read_rows
from profiles.text.dump import dump

HEAD = ("Pos", "Description", "Qty", "Unit price (EUR)", "Total")
OFFER: tuple[tuple[Any, ...], ...] = (
    ("Quotation 4711",),
    HEAD,
    (1, "Chassis 2U, 12x LFF hot swap", 20, 2900, "=C3*D3"),
    (2, "Intel Xeon Gold 6430 32-Core 2.1GHz", 40, "1.850,00 €"),
    (3, "32GB DDR5-4800 RDIMM", 160, 165),
    (4, "Exos 20TB 7.2k SATA HDD", 240, 310),
    (5, "ConnectX-6 dual port 25GbE NIC", 20, "520,00"),
    (6, "Switch 48x 25GbE + 8x 100GbE", 2, 9600),
    (7, "DAC cable 25GbE 3m", 40, 45),
    (None, "Total", None, None, "=SUM(E3:E9)"),
)


def workbook(path: Path, rows: tuple[tuple[Any, ...], ...] = OFFER) -> str:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    book.save(path)
    return str(path)


def text(path: Path, lines: str) -> str:
    path.write_text(lines, encoding="utf-8")
    return str(path)


def read(path: Path, lines: str, **options: Any) -> list[Row]:
    return read_rows(text(path / "offer.csv", lines), options.get("columns", {}), options.get("currency"))


def test_a_workbook_becomes_parts_with_the_price_of_one_unit(tmp_path: Path) -> None:
    parts, asked = mapped(read_rows(workbook(tmp_path / "offer.xlsx"), {}, None), [])
    assert asked == []
    prices = {".".join(part.part): (part.price, part.currency, part.row) for part in parts}
    assert prices == {
        "chassis.2u-12-large": (2900, "EUR", 3),
        "core": (1850 / 32, "EUR", 4),
        "memory": (pytest.approx(165 / 34.359738368), "EUR", 5),
        "drives.hdd": (15.5, "EUR", 6),
        "cards.25gbe": (260, "EUR", 7),
        "ports.25gbe": (200, "EUR", 8),
        "cables.25gbe": (45, "EUR", 9),
    }


def test_a_card_that_says_its_rate_needs_no_other_word(tmp_path: Path) -> None:
    lines = "Item,Quantity,Unit price USD\n25GbE dual port card,20,520\n100 GbE Dual-Port-Karte,4,1800\n"
    parts, asked = mapped(read(tmp_path, lines), [])
    assert not asked
    assert [(part.part, part.price) for part in parts] == [(("cards", "25gbe"), 260), (("cards", "100gbe"), 900)]


def test_the_list_prices_a_server_by_its_rows_and_says_so(tmp_path: Path) -> None:
    parts, _ = mapped(read_rows(workbook(tmp_path / "offer.xlsx"), {}, None), [])
    base = load("on-premises-2024", Prices, folders=["prices"])
    loaded = load_text(dump(price_list(parts, "x/offer.xlsx", base, "2026-11", {"EUR": "1.08 USD"})), Prices)
    assert loaded.unsourced == ()
    assert str(loaded.sources["drives.hdd.per_byte"]) == "documented: offer.xlsx: row 6"
    made = composition(load("hdd-25gbe", Server, folders=["hardware/servers"]).scenario, loaded.scenario.told())
    assert made.unpriced == ()
    by_hand = 2900 + 1850 + 8 * 165 + 12 * 16 * 15.5 + 260 + 200 + 45
    assert made.capital == pytest.approx(by_hand)
    assert made.idle > 0


def test_a_map_says_what_words_do_not(tmp_path: Path) -> None:
    rows = read(tmp_path, "Item;Qty;Unit price\nNext day support;2;850 USD\nShipping;1;99 USD\nFlux 9000;1;20 USD\n")
    rules = [
        {"text": "day support", "part": "licences.support", "each": 5, "per": "server"},
        {"text": "shipping", "ignore": True},
    ]
    parts, asked = mapped(rows, rules)
    assert parts == [Mapped(("licences", "support"), "price", 170, "", "USD", 2, {"per": "server"})]
    assert [(question.row.number, question.why) for question in asked] == [(4, "no part is known by these words")]
    assert 'text = "Flux 9000"' in asked[0].example


def test_two_prices_of_one_part_are_asked_for(tmp_path: Path) -> None:
    rows = read(tmp_path, "Item,Unit price\n20TB HDD,310 USD\n16TB HDD,270 USD\n")
    parts, asked = mapped(rows, [])
    assert len(parts) == 1
    assert "another row has a price of drives.hdd" in asked[0].why


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1234.5", 1234.5),
        ("1.234,50", 1234.5),
        ('"1,234.50"', 1234.5),
        ("$ 1234", 1234.0),
        ("1 234,5 EUR", 1234.5),
        ("1'234'567.25", 1234567.25),
        ("1.234.567", 1234567.0),
    ],
)
def test_numbers_are_read_as_they_are_written_anywhere(written: str, value: float, tmp_path: Path) -> None:
    (row,) = read(tmp_path, f"Item;Unit price\nthing;{written}\n", currency="USD")
    assert row.price == value


def test_a_price_follows_from_the_total_where_there_is_none_of_one(tmp_path: Path) -> None:
    (row,) = read(tmp_path, "Item;Qty;Total USD\nthing;4;1000\n")
    assert (row.price, row.currency) == (250, "USD")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("Item;Unit price\nthing;=1+1\n", "offer.csv:2: the price is a formula, which is not evaluated"),
        ("Item;Unit price\n=HYPERLINK(1);5 USD\n", "offer.csv:2: what is offered is a formula"),
        ("Item;Unit price\nthing;five\n", "offer.csv:2: the price 'five' is no number; write one such as 1234.50"),
        ("Item;Unit price\nthing;1.234 USD\n", "offer.csv:2: the price '1.234 USD' may be thousands or a fraction"),
        ("Item;Unit price\nthing;5\n", "offer.csv:2: the price 5 has no currency; give --currency"),
        ("Item;Qty;Unit price\nthing;0;5 USD\n", "offer.csv:2: the quantity is 0"),
        ("Item;Unit price\nrebate;-5 USD\n", "offer.csv:2: the price is -5; state a discount"),
        ("a;b\nc;d\n", r"no row has headings .*\[columns\]"),
        ("Item;Unit price\n", "no row below the headings has a price"),
    ],
)
def test_what_cannot_be_understood_is_told_with_file_row_and_way_out(lines: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=message):
        read(tmp_path, lines)


def test_a_formula_in_a_workbook_is_not_evaluated(tmp_path: Path) -> None:
    path = workbook(tmp_path / "offer.xlsx", (HEAD, (1, "20TB HDD", 1, "=300+10")))
    with pytest.raises(ProblemError, match=r"offer.xlsx:2: the price is a formula"):
        read_rows(path, {}, None)


@pytest.mark.parametrize("data", [b"PK\x03\x04 no workbook", b"\x00\x01\x02", b""])
def test_files_of_other_kinds_are_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "offer.xlsx").write_bytes(data)
    with pytest.raises(ProblemError, match=r"offer.xlsx"):
        read_rows(str(tmp_path / "offer.xlsx"), {}, None)


def test_a_heading_of_100_000_letters_above_thousands_of_rows_is_looked_through_once(tmp_path: Path) -> None:
    path = tmp_path / "offer.csv"
    path.write_text(f"description;quantity;unit price {'of it ' * 17_000}\n" + "disk;2;3\n" * 2000)
    with pytest.raises(ProblemError, match="currency"):
        read_rows(str(path), {}, None)


def test_columns_beyond_those_of_a_quotation_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(f"{';' * 100}Description;Qty;Price EUR\n{';' * 100}HDD 18 TB;4;310\n")
    with pytest.raises(ProblemError, match="no row has headings"):
        read_rows(str(path), {}, None)


def changed(path: Path, sheet: Callable[[bytes], bytes]) -> Path:
    """Write a workbook whose sheet is other XML."""
    with (
        zipfile.ZipFile(workbook(path.parent / "offer.xlsx")) as whole,
        zipfile.ZipFile(path, "w", ZIP_DEFLATED) as made,
    ):
        for info in whole.infolist():
            part = whole.read(info)
            made.writestr(info.filename, sheet(part) if info.filename.endswith("sheet1.xml") else part)
    return path


def test_of_a_part_that_is_larger_than_a_workbook_says_no_more_than_that_is_opened(tmp_path: Path) -> None:
    size = 250_000_001
    path = changed(tmp_path / "lies.xlsx", lambda sheet: bytes(size))
    path.write_bytes(path.read_bytes().replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little")))
    tracemalloc.start()
    try:
        with pytest.raises(ProblemError, match="no workbook that can be read"):
            read_rows(str(path), {}, None)
        assert tracemalloc.get_traced_memory()[1] < size / 4
    finally:
        tracemalloc.stop()


def test_a_workbook_with_a_tag_that_takes_the_square_of_its_length_is_refused(tmp_path: Path) -> None:
    path = changed(
        tmp_path / "long.xlsx", lambda sheet: sheet.replace(b"<sheetData", b'<sheetData x="' + b"y" * 2**21 + b'"')
    )
    with pytest.raises(ProblemError, match="holds a tag or a text of more than 1,048,576 letters: copy the rows"):
        read_rows(str(path), {}, None)


def test_a_workbook_that_opens_into_more_than_a_quotation_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made, made.open("bomb", "w") as bomb:
        for _ in range(130):
            bomb.write(bytes(2**20))
    with pytest.raises(ProblemError, match="opens into more than 128 MiB"):
        read_rows(str(path), {}, None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
@pytest.mark.parametrize("read", [lambda path: read_rows(path, {}, None), read_map], ids=["quotation", "map"])
def test_a_pipe_that_nobody_writes_to_is_refused_and_not_waited_for(
    tmp_path: Path, read: Callable[[str], object]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ProblemError, match=r"pipe: .*cannot be read: it is a folder, a pipe or a device"):
        read(f"{tmp_path / 'pipe'}")


def test_a_part_of_a_thousand_names_is_refused_and_not_laid_out(tmp_path: Path) -> None:
    rules = tmp_path / "map.toml"
    rules.write_text(f'[[map]]\ntext = "HDD"\npart = "drives{".hdd" * 999}"\n', encoding="utf-8")
    with pytest.raises(
        ProblemError, match=r'map\.toml: .*map\.0\.part: has 1,000 names parted by dots; .* "drives.hdd"'
    ):
        read_map(str(rules))
