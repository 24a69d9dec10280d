"""Quotations as dealers write them: article numbers beside words, discounts by row, totals, services, German words."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.problem import ProblemError
from profiles.offers.parts import Mapped, mapped
from profiles.offers.rows import Row, read_rows

HEAD = "Pos.;Artikel;Bezeichnung;Menge;Einzelpreis (EUR);Rabatt %;Gesamtpreis (EUR)"


def read(path: Path, *lines: str) -> list[Row]:
    file = path / "angebot.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return read_rows(f"{file}", {}, None)


def refused(path: Path, *lines: str) -> str:
    with pytest.raises(ProblemError) as error:
        read(path, *lines)
    return f"{error.value}"


def test_words_are_those_of_the_description_where_an_article_has_a_column_too(tmp_path: Path) -> None:
    (row,) = read(tmp_path, HEAD, "4;HDD-16;Festplatte 16 TB SATA;240;265,00;;")
    assert row.text == "Festplatte 16 TB SATA"
    (alone,) = read(tmp_path, "Artikel;Menge;Einzelpreis (EUR)", "Festplatte 16 TB SATA;240;265,00")
    assert alone.text == "Festplatte 16 TB SATA"


@pytest.mark.parametrize("heading", ["Price", "Preis (EUR)", "Listenpreis", "List price, EUR"])
def test_a_price_without_further_words_is_that_of_one(heading: str, tmp_path: Path) -> None:
    (row,) = read(tmp_path, f"Item;Qty;{heading};Total", "HDD 16 TB;4;300 EUR;1200")
    assert row.price == 300.0


@pytest.mark.parametrize("discount", ["15", "15 %", "15,0%"])
def test_a_discount_of_a_row_is_off_its_price(discount: str, tmp_path: Path) -> None:
    (row,) = read(tmp_path, HEAD, f"4;HDD-16;Festplatte 16 TB SATA;240;265,00;{discount};54.060,00")
    assert row.price == pytest.approx(225.25)


def test_a_discount_without_a_unit_is_asked_for(tmp_path: Path) -> None:
    text = refused(tmp_path, "Item;Qty;Unit price (EUR);Discount", "HDD 16 TB;1;265.00;0.15")
    assert "angebot.csv:2: the discount 0.15 has no unit; write one such as 15 %" in text


def test_a_total_that_is_not_quantity_times_price_is_refused(tmp_path: Path) -> None:
    text = refused(tmp_path, "Item;Qty;Unit price (EUR);Total", "HDD 16 TB;240;265.00;54,060.00")
    assert "240 times 265.00 are 63,600.00, its total is 54,060.00; correct the row" in text


def test_a_row_with_its_total_alone_is_read_and_a_sum_is_not(tmp_path: Path) -> None:
    lines = ("9;INST;Installation;;;;8500,00", ";;Summe netto;;;;63600,00", ";;MwSt 19 %;;;;12084,00")
    (row,) = read(tmp_path, HEAD, *lines)
    assert (row.text, row.price) == ("Installation", 8500.0)


@pytest.mark.parametrize(
    "words", ["Server 2HE, 12 Einschübe 3,5 Zoll, Gehäuse", 'Server 2HE 12 x 3,5" LFF', "Server 2U, 12 slots 3.5 inch"]
)
def test_a_server_with_height_and_bays_is_a_chassis(words: str) -> None:
    (part,), asked = mapped([Row(4, words, 10, 3150.0, "EUR")], [])
    assert isinstance(part, Mapped)
    assert (asked, part.part, part.values) == ([], ("chassis", "2u-12-large"), {"large_bays": 12, "rack_units": 2})


def test_a_service_is_asked_for_as_one_by_server_and_year() -> None:
    _, (asked,) = mapped([Row(12, "Wartung 5 Jahre NBD je Server", 20, 1450.0, "EUR")], [])
    assert asked.why.startswith("a service: for how many years, and each of what?")
    assert 'part = "licences.support"' in asked.example
    assert 'per = "server"\neach = 5' in asked.example
