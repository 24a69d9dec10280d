"""What reads what strangers write: for each kind of input, texts to begin with and what is done with one."""

from __future__ import annotations

import ast
import bz2
import functools
import gc
import gzip
import io
import json
import sqlite3
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import crc32

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from app.gui.session import project_file
from app.gui.session.project_file import KeptResult
from app.planning import importing
from app.planning.checking import title_of
from models.hardware.calibration import fit
from models.planning.grid import axis, combined
from models.planning.lint import lint
from models.planning.uncertain import uncertain
from models.planning.upkeep import CALENDARS, CONTRACTS, calendar, contract
from models.problem import RefusalError
from models.quantity import stated
from models.scenario import Scenario
from models.target import target
from profiles.imports.reading import read_files
from profiles.loading.catalog import PROFILES, SHIPPED, STUDIES
from profiles.loading.loader import Variants, load, load_text
from profiles.offers.parts import mapped
from profiles.offers.rows import read_rows
from simulator.run import simulate
from simulator.studies.points import Answer
from simulator.studies.store import Store
from tests.fuzz import planning, running
from tests.fuzz.planning import folder, written
from tests.profiles.imports.fixtures import FIXTURES
from tests.simulator.small import generation, sort

TESTS = Path(__file__).parent.parent
LARGEST = 40_000
"""Letters of a text to begin with; longer ones are mutated too slowly."""
SELDOM = 0.03
"""Share of inputs that begin runs: they take some thirty times as long as others."""
HALF = 0.5
"""Share of inputs that take some five times as long as others."""
LONGEST_WORD = 2**17
"""Letters of a word of a command line. Source: Linux, MAX_ARG_STRLEN."""


@dataclass(frozen=True)
class Target:
    """One kind of input: `seeds` are texts of it, `action` takes one and refuses it with a RefusalError, if at all.

    It is tried `share` times as often as others are.
    """

    seeds: Callable[[], list[str]]
    action: Callable[[str], object]
    share: float = 1.0


def _shipped(*folders: str) -> Callable[[], list[str]]:
    """Return what gives all shipped TOML files of some folders, and below them."""

    def texts() -> list[str]:
        paths = [path for folder in folders for path in sorted((SHIPPED.root / folder).rglob("*.toml"))]
        return [text for path in paths if len(text := path.read_text(encoding="utf-8")) <= LARGEST]

    return texts


PARTS = (
    "clients",
    "clusters",
    "engines",
    "failures",
    "frameworks",
    "growth",
    "hardware",
    "planning",
    "prices",
    "tools",
)


def one_in(count: int, text: str) -> bool:
    """Tell whether an input is one of the few with which more is done, by what it says, so that a replay does so."""
    return crc32(text.encode(errors="surrogatepass")) % count == 0


def _check(text: str) -> None:
    title_of(str(written(text, "input.toml")))


def _check_profile(text: str) -> None:
    """Load a profile; of one in eight, tell what kind of file it is, and plan what it does."""
    if one_in(8, text):
        _check(text)
    else:
        load_text(text, Scenario, path=folder() / "input.toml")


def _advise(text: str) -> None:
    lint(load_text(text, Scenario, path=folder() / "input.toml").scenario)


def _project(text: str) -> None:
    for run in project_file.read(written(text, "input.headroom")).runs:
        try:
            project_file.run_of(run)
        except ValueError:  # which the window tells as a run that this program cannot read
            continue


@functools.cache
def _rows() -> tuple[str, ...]:
    return tuple(Answer.of(simulate(scenario)).to_json() for scenario in (sort(), generation()))


def _store(text: str) -> None:
    """Put a text into the row of a store, and read it."""
    path = folder() / "input.sqlite"
    path.unlink(missing_ok=True)
    with Store(path) as store:
        store.add("key", Answer.from_json(_rows()[0]))
    with sqlite3.connect(path) as file:
        file.execute("UPDATE points SET answer = ?", (text.encode(errors="replace").decode(),))
    file.close()
    with Store(path) as store:
        store.find(["key"])


def _store_file(text: str) -> None:
    path = folder() / "input.sqlite"
    path.write_bytes(text.encode("latin-1", errors="replace"))
    with Store(path) as store:
        store.find(["key"])
        len(store)


def _store_bytes() -> list[str]:
    path = folder() / "seed.sqlite"
    path.unlink(missing_ok=True)
    with Store(path) as store:
        store.add("key", Answer.from_json(_rows()[0]))
    return [path.read_bytes().decode("latin-1")]


def _measured(text: str) -> None:
    readings = read_files([str(written(text, "input.txt"))])
    fit([run for reading in readings for run in reading.runs], None, None)


def _imported(text: str) -> None:
    report, _ = importing.read([str(written(text[: 2 * LARGEST], "input.txt"))])
    for made in report.profiles:
        load_text(made.text, Scenario, path=folder() / made.file)


def _imports() -> list[str]:
    return [text for text in FIXTURES.values() if len(text) <= LARGEST]


def _measurements() -> list[str]:
    paths = [path for path in (SHIPPED.root / "measurements").rglob("*") if path.suffix in {".txt", ".json"}]
    tests = ast.walk(ast.parse((TESTS / "profiles" / "test_calibration.py").read_text(encoding="utf-8")))
    texts = [node.value for node in tests if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [*(path.read_text(encoding="utf-8") for path in paths), *(text for text in texts if "\n" in text)]


def _set(text: str) -> None:
    """Take each line as KEY=VALUE of `--set`."""
    pairs = (line.partition("=") for line in text.split("\n"))
    _variants().load({key: value for key, equals, value in pairs if equals})


@functools.cache
def _variants() -> Variants[Scenario]:
    return Variants("hdfs-terasort", Scenario)


def _settings() -> list[str]:
    loaded = load("hdfs-terasort", Scenario)
    return [f"{key}={json.dumps(value)}" for key, value in loaded.values.items()]


def _typed(read: Callable[[str], object]) -> Callable[[str], None]:
    """Return what reads a text as long as a word of a command line may be."""

    def read_word(text: str) -> None:
        read(text[:LONGEST_WORD])

    return read_word


COLUMNS = 16_384
"""Columns of a sheet, beyond which nothing writes one. Source: Office Open XML, SpreadsheetML."""


def _sold(text: str) -> None:
    """Read a workbook with these rows."""
    path = folder() / "input.xlsx"
    workbook(path, [line.split(";")[:COLUMNS] for line in text.split("\n")[:300]])
    _read_workbook(path)


def _sheet(text: str) -> None:
    """Read a workbook whose sheet is this XML."""
    path = folder() / "sheet.xlsx"
    with ZipFile(workbook(folder() / "whole.xlsx", [["Item", "Unit price"]])) as whole, ZipFile(path, "w") as made:
        for info in whole.infolist():
            made.writestr(info, text if info.filename.endswith("sheet1.xml") else whole.read(info))
    _read_workbook(path)


def _read_workbook(path: Path) -> None:
    """Read a workbook, and let go of it here: within the recursion of a later input no archive could be closed."""
    refused: RefusalError | None = None
    try:
        mapped(read_rows(str(path), {}, None), [])
    except RefusalError as error:
        refused = error.with_traceback(None)  # which holds what was read
        refused.__cause__ = refused.__context__ = None
    gc.collect()  # openpyxl leaves its archive in a circle
    if refused is not None:
        raise refused


def _sheets() -> list[str]:
    rows: list[list[object]] = [
        ["Item", "Qty", "Unit price EUR"],
        ["HDD 18 TB SATA", 48, 310.5],
        ["Server 2U, 12 bays", 4, 2500],
    ]
    with ZipFile(workbook(folder() / "seed.xlsx", rows)) as book:
        return [book.read("xl/worksheets/sheet1.xml").decode().replace("><", ">\n<")]


def workbook(path: Path, rows: Iterable[Iterable[object]]) -> Path:
    """Write rows into a workbook and return its file."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in rows:
        sheet.append([ILLEGAL_CHARACTERS_RE.sub("", cell)[:32_000] if isinstance(cell, str) else cell for cell in row])
    book.save(path)
    return path


def _archive(text: str) -> None:
    """Read the bytes of an archive."""
    path = folder() / "input.tar"
    path.write_bytes(text.encode("latin-1", errors="replace"))
    importing.read([str(path)])


def _archives() -> list[str]:
    """Return archives of both kinds, plain and packed, as letters of a byte each."""
    plain, packed = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar, ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name in ("lscpu", "iperf3 -J", "S3 access log"):
            data = FIXTURES[name].encode()
            member = tarfile.TarInfo(f"collected/{name}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
            archive.writestr(member.name, data)
    archives = (plain.getvalue(), packed.getvalue())
    return [data.decode("latin-1") for data in (*archives, gzip.compress(archives[0]), bz2.compress(archives[0]))]


def _quotation(text: str) -> None:
    mapped(read_rows(str(written(text, "input.csv")), {}, None), [])


def _quotations() -> list[str]:
    return [
        "Item;Qty;Unit price EUR\nServer 2U, 12 bays;4;2.500,00\nHDD 18 TB SATA;48;310,00\n",
        "description;quantity;unit price USD\nNVMe 7.68 TB;24;900\nDDR5 64 GB;16;250.5\n25 GbE card;4;300\n",
    ]


def _projects() -> list[str]:
    scenario = stated(sort().model_dump())
    result = KeptResult.of(simulate(sort())).model_dump(mode="json")
    run = {
        **{"number": 1, "colour": 0, "title": "", "is_kept": True, "name": "p", "about": "", "text": "", "base": "."},
        **{"scenario": scenario, "seed": 0, "replications": 1, "changes": {}, "headline": "", "answer": []},
        **{"waterfall": [["a", 1.0]], "measures": {"duration": [1.0, "s", False]}, "utilization": [["a", [0.5]]]},
        "result": result,
    }
    profile = {"name": "p", "text": 'extends = "hdfs-sort"', "path": None, "base": ".", "is_changed": True}
    return [json.dumps({"version": 1, "profiles": [profile], "runs": [run], "notes": "n"}, indent=1)]


TARGETS = {
    "profiles": Target(_shipped(*(folder for folder in PROFILES if folder != "published")), _check_profile),
    "advice": Target(_shipped("benchmarks", "studies"), _advise),
    "parts": Target(_shipped(*PARTS, "workloads", "storage"), _check),
    "studies and plans": Target(_shipped(STUDIES), _check),
    "projects": Target(_projects, _project),
    "rows of stores": Target(lambda: list(_rows()), _store),
    "files of stores": Target(_store_bytes, _store_file),
    "measurements": Target(_measurements, _measured),
    "imports": Target(_imports, _imported),
    "quotations": Target(_quotations, _quotation),
    "workbooks": Target(_quotations, _sold, HALF),
    "sheets of workbooks": Target(_sheets, _sheet, HALF),
    "archives": Target(_archives, _archive),
    "maps of quotations": Target(planning.maps_of_offers, planning.map_of_offer),
    "growth": Target(planning.growing_profiles, planning.growing, HALF),
    "reports of clusters": Target(planning.reports, planning.reported, HALF),
    "results of acceptance": Target(planning.results, planning.accepted),
    "--set": Target(_settings, _set),
    "--vary": Target(
        lambda: ["4,8,12", "4..64:4", "1..1000:log7", "100 GB..1 TB:100 GB", "[1, 2],{ use = 'hdd' }", '"a","b"'],
        _typed(lambda text: combined([axis("key", text)])),
    ),
    "--uncertain": Target(lambda: ["1 s..2 s", "1..2..3", "5 +- 5 %"], _typed(lambda text: uncertain("key", text))),
    "--target": Target(
        lambda: ["duration <= 900 s", "survives_writing 1 rack", "cost over 3 years <= 5 USD", "durability >= 9 nines"],
        _typed(target),
    ),
    "--contract": Target(lambda: list(CONTRACTS), _typed(lambda text: contract(text, "USD"))),
    "--calendar": Target(lambda: list(CALENDARS), _typed(calendar)),
    "runs": Target(running.runs, running.ran, SELDOM),
    "answers of plans": Target(running.plans, running.answered, SELDOM),
    "command lines": Target(running.command_lines, running.carried_out, SELDOM),
}


def names() -> Iterator[str]:
    """Yield the names of all targets."""
    yield from TARGETS
