"""What the commands of the planner read of strangers: for each kind of input, texts and what is done with one."""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from zlib import crc32

from app.planning import capacity, materials
from app.planning.acceptance.accept_results import judged
from app.planning.acceptance.accepting import expected
from app.planning.loading import Chosen, choose
from app.planning.offers import imported
from app.planning.progress import uncounted
from app.planning.purchasing import asked, study as purchased
from app.planning.tracking import tracked
from app.reports import bill_document, capacity_report, purchase_document, track_document
from app.reports.forms import document_text
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load_text
from profiles.offers.maps import read_map
from tests.profiles.imports.fixtures import FIXTURES

OFFER = "Item;Qty;Unit price EUR\nHDD 18 TB SATA;48;310,00\nFlux 9000;4;2.500,00\n"
ORDER = {"targets": (), "order_cost": "100 USD", "lot": 1, "seed": 0, "replications": 1}


def folder() -> Path:
    """Return a folder of this process, which goes with it."""
    return Path(_folder().name)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="headroom-fuzz-")


def written(text: str, name: str) -> Path:
    """Return a file with a text."""
    path = folder() / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return path


def map_of_offer(text: str) -> None:
    """Take a text as what says of the rows of a quotation what they are."""
    rules = read_map(str(written(text, "map.toml")))
    offer = str(written(OFFER, "offer.csv"))
    imported(offer, "on-premises-2024", rules, "2026-11", None, {"EUR": "1.08 USD"})


def maps_of_offers() -> list[str]:
    """Return maps that are right."""
    return [
        '[[map]]\ntext = "Flux 9000"\npart = "chassis.flux"\nlarge_bays = 12\nrack_units = 2\n',
        '[[map]]\ntext = "Flux"\nignore = true\n\n[[map]]\ntext = "HDD"\npart = "drives.hdd"\neach = 18\n',
        '[columns]\ntext = "Item"\nprice = "Unit price EUR"\ncount = "Qty"\n\n[[map]]\ntext = "Flux"\nignore = true\n',
    ]


def growing(text: str) -> None:
    """Work out of a profile what needs no run: what it holds and when, the bill, or what to buy when."""
    path = folder() / "growing.toml"
    chosen = Chosen(str(path), {}, load_text(text, Scenario, path=path))
    questions = (_capacity, _capacity, _bill, _bill, _purchase)
    questions[crc32(text.encode(errors="surrogatepass")) % len(questions)](chosen)


def _capacity(chosen: Chosen) -> None:
    document_text.render(capacity_report.document(capacity.study(chosen)))


def _bill(chosen: Chosen) -> None:
    document_text.render(bill_document.document(materials.study(chosen)))


def _purchase(chosen: Chosen) -> None:
    document_text.render(purchase_document.document(purchased(asked(chosen, ORDER), 1, uncounted)))


def growing_profiles() -> list[str]:
    """Return profiles that grow and have prices."""
    shipped = SHIPPED.root / "studies" / "growth-hdfs.toml"
    text = shipped.read_text(encoding="utf-8")
    priced = 'extends = "growth-hdfs"\nprices = "on-premises-2024"\n'
    growths = (
        '[growth]\nstart = "2027-01-01"\nstored = "350 TB"\nannual_growth = "30 %"\nmonths = 60\n',
        '[growth]\ningest = "2 TB/d"\ningest_growth = "10 %"\nretention = "90 d"\nexpansions = []\nmonths = 24\n',
        '[growth]\nexpansions = [{ date = "2028-07-01", servers = 6 }, { date = "2029-01-01", servers = 2 }]\n',
    )
    return [text, *(priced + growth for growth in growths)]


def reported(text: str) -> None:
    """Take a text as what a cluster says of itself on a day, beside what it said on another."""
    written(text, "reports/a-2027-02-01.txt")
    written(FIXTURES["hdfs fsck"].replace(" at Mon Nov 02 10:00:00 UTC 2026", ""), "reports/b-2027-01-01.txt")
    chosen = _expecting()[crc32(text.encode(errors="surrogatepass")) % 2]
    report = tracked(chosen, [str(folder() / "reports")], [], seed=0, workers=1, counted=uncounted)
    document_text.render(track_document.document(report))


@functools.cache
def _expecting() -> tuple[Chosen, Chosen]:
    """Return profiles that grow for two years, of which the second takes in data and has none yet."""
    new = written('extends = "growth-hdfs"\n[growth]\nstored = "0 B"\ningest = "2 TB/d"\n', "new.toml")
    shorter = {"growth.months": "24", "growth.expansions": "[]"}
    return choose("growth-hdfs", shorter), choose(str(new), shorter)


def reports() -> list[str]:
    """Return what clusters say of what they hold; what is expected of them is worked out first, and once."""
    _expecting()
    days = [(date(2027, 1, 1) + timedelta(days=7 * week)).strftime("%s") for week in range(4)]
    series = [
        {"metric": {"__name__": name}, "values": [[int(day), f"{(3 + i) * 1e14:g}"] for i, day in enumerate(days)]}
        for name in ("ceph_pool_stored", "ceph_cluster_total_used_raw_bytes")
    ]
    told = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}}, indent=1)
    known = ("hdfs fsck", "hdfs dfsadmin", "ceph df", "mc admin info", "S3 access log")
    return [told, *(FIXTURES[name] for name in known)]


@functools.cache
def _contract() -> Callable[[Sequence[str]], object]:
    report, works = expected(choose("growth-hdfs", {}), None, seed=0, effort="none", workers=1, counted=uncounted)
    return lambda paths: judged(report, works, paths, uncounted)


def accepted(text: str) -> None:
    """Take a text as what a script of an acceptance kit has measured."""
    _contract()([str(written(text, "result.json"))])


def results() -> list[str]:
    """Return what scripts of the kit write; what is expected of them is worked out first, and once."""
    _contract()
    return [FIXTURES[name] for name in ("fio", "iperf3 -J", "acceptance kit", "warp", "fio text", "dd")]
