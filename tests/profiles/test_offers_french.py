"""Quotations in French, and layouts with prices before and after a discount, or a sheet before that of the offer."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from profiles.offers.parts import mapped
from profiles.offers.rows import read_rows
from tests.profiles.test_offers import workbook

FRENCH = """\
Désignation;Qté;PU HT €;Remise;Total HT €
Châssis 2U 12 baies 3,5 pouces;12;2 300,00;0 %;27 600,00
Processeur AMD EPYC 9124 16 cœurs;24;980,00;5 %;22 344,00
Mémoire 32 Go DDR5;96;175,00;0 %;16 800,00
Disque dur 20 To SAS;144;365,00;0 %;52 560,00
Carte réseau 25 GbE;12;290,00;0 %;3 480,00
Commutateur 48 ports 25 GbE;2;8 200,00;0 %;16 400,00
Câble 25 GbE;24;30,00;0 %;720,00
Total;;;;139 904,00
"""


def test_a_french_quotation_needs_no_map(tmp_path: Path) -> None:
    path = tmp_path / "offre.csv"
    path.write_text(FRENCH, encoding="utf-8")
    parts, asked = mapped(read_rows(f"{path}", {}, None), [])
    assert asked == []
    prices = {".".join(part.part): part.price for part in parts}
    assert prices == pytest.approx(
        {
            "chassis.2u-12-large": 2300.0,
            "core": 980 * 0.95 / 16,
            "memory": 175 / (32 * 2**30 / 1e9),
            "drives.hdd": 365 / 20,
            "cards.25gbe": 290.0,
            "ports.25gbe": 8200 / 48,
            "cables.25gbe": 30.0,
        }
    )


@pytest.mark.parametrize("heading", ["Net price", "Nettopreis", "Prix net"])
def test_a_discount_is_not_taken_off_a_price_that_is_net_of_it(heading: str, tmp_path: Path) -> None:
    rows = (
        ("Description", "Qty", "List price", "Discount", f"{heading} (USD)", "Extended"),
        ("20 TB HDD", 10, 480, "20 %", 384, 3840),
    )
    (row,) = read_rows(workbook(tmp_path / "net.xlsx", rows), {}, None)
    assert (row.count, row.price) == (10, 384)


def test_the_offer_may_stand_on_a_later_sheet_of_a_workbook(tmp_path: Path) -> None:
    path = workbook(tmp_path / "offer.xlsx")
    alone = read_rows(path, {}, None)
    book: Workbook = load_workbook(path)
    book.create_sheet("Cover", 0).append(["Quotation", "4711"])
    book.save(path)
    assert read_rows(path, {}, None) == alone
