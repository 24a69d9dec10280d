"""What reads what strangers write: for each kind of input, texts to begin with and what is done with one."""

from __future__ import annotations

import ast
import functools
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from app.gui.session import project_file
from app.planning import importing
from app.planning.checking import title_of
from models.hardware.calibration import fit
from models.planning.grid import axis, combined
from models.planning.lint import lint
from models.planning.uncertain import uncertain
from models.scenario import Scenario
from models.target import target
from profiles.catalog import PROFILES, SHIPPED, STUDIES
from profiles.imports.reading import read_files
from profiles.loader import load, load_text
from profiles.offers.rows import read_rows
from simulator.run import simulate
from simulator.studies.points import Answer
from simulator.studies.store import Store
from tests.profiles.imports.fixtures import FIXTURES
from tests.simulator.small import generation, sort

TESTS = Path(__file__).parent.parent
LARGEST = 40_000
"""Letters of a text to begin with; longer ones are mutated too slowly."""


@dataclass(frozen=True)
class Target:
    """One kind of input: `seeds` are texts of it, `action` takes one and refuses it with a RefusalError, if at all."""

    seeds: Callable[[], list[str]]
    action: Callable[[str], object]


@functools.cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="headroom-fuzz-"))


def _written(text: str, name: str) -> Path:
    path = _folder() / name
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return path


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


def _check(text: str) -> None:
    title_of(str(_written(text, "input.toml")))


def _advise(text: str) -> None:
    lint(load_text(text, Scenario, path=_folder() / "input.toml").scenario)


def _project(text: str) -> None:
    for run in project_file.read(_written(text, "input.headroom")).runs:
        try:
            project_file.run_of(run)
        except ValueError:  # which the window tells as a run that this program cannot read
            continue


@functools.cache
def _rows() -> tuple[str, ...]:
    return tuple(Answer.of(simulate(scenario)).to_json() for scenario in (sort(), generation()))


def _store(text: str) -> None:
    """Put a text into the row of a store, and read it."""
    path = _folder() / "input.sqlite"
    path.unlink(missing_ok=True)
    with Store(path) as store:
        store.add("key", Answer.from_json(_rows()[0]))
    with sqlite3.connect(path) as file:
        file.execute("UPDATE points SET answer = ?", (text.encode(errors="replace").decode(),))
    file.close()
    with Store(path) as store:
        store.find(["key"])


def _store_file(text: str) -> None:
    path = _folder() / "input.sqlite"
    path.write_bytes(text.encode("latin-1", errors="replace"))
    with Store(path) as store:
        store.find(["key"])
        len(store)


def _store_bytes() -> list[str]:
    path = _folder() / "seed.sqlite"
    path.unlink(missing_ok=True)
    with Store(path) as store:
        store.add("key", Answer.from_json(_rows()[0]))
    return [path.read_bytes().decode("latin-1")]


def _measured(text: str) -> None:
    readings = read_files([str(_written(text, "input.txt"))])
    fit([run for reading in readings for run in reading.runs], None, None)


def _imported(text: str) -> None:
    report, _ = importing.read([str(_written(text[: 2 * LARGEST], "input.txt"))])
    for made in report.profiles:
        load_text(made.text, Scenario, path=_folder() / made.file)


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
    load("hdfs-terasort", Scenario, {key: value for key, equals, value in pairs if equals})


def _settings() -> list[str]:
    loaded = load("hdfs-terasort", Scenario)
    return [f"{key}={json.dumps(value)}" for key, value in loaded.values.items()]


def _vary(text: str) -> None:
    """Take each line as what is varied, what is uncertain and what is aimed at."""
    for read in (lambda line: combined([axis("key", line)]), lambda line: uncertain("key", line), target):
        read(text)


def _axes() -> list[str]:
    return [
        *("4,8,12", "4..64:4", "1..1000:log7", "100 GB..1 TB:100 GB", "[1, 2],{ use = 'hdd' }", '"a","b"'),
        *(
            "1 s..2 s",
            "1..2..3",
            "5 +- 5 %",
            "duration <= 900 s",
            "survives_writing 1 rack",
            "cost over 3 years <= 5 USD",
        ),
    ]


def _quotation(text: str) -> None:
    read_rows(str(_written(text, "input.csv")), {}, None)


def _quotations() -> list[str]:
    return [
        "Part;Qty;Unit price EUR\nServer 2U, 12 bays;4;2.500,00\nHDD 18 TB SATA;48;310,00\n",
        "description,quantity,price USD\nNVMe 7.68 TB,24,900\nDDR5 64 GB,16,250.5\n25 GbE card,4,300\n",
    ]


def _projects() -> list[str]:
    scenario = json.loads(sort().model_dump_json(exclude_none=True))
    answer = json.loads(_rows()[0])
    result = {
        **{"profile": "p", "seed": 0, "version": "1", "bin_width": 1.0, "failures": None, "requests": []},
        **answer,
    }
    run = {
        **{"number": 1, "colour": 0, "title": "", "is_kept": True, "name": "p", "about": "", "text": "", "base": "."},
        **{"scenario": scenario, "seed": 0, "replications": 1, "changes": {}, "headline": "", "answer": []},
        **{"waterfall": [["a", 1.0]], "measures": {"duration": [1.0, "s", False]}, "utilization": [["a", [0.5]]]},
        "result": result,
    }
    profile = {"name": "p", "text": 'extends = "hdfs-sort"', "path": None, "base": ".", "is_changed": True}
    return [json.dumps({"version": 1, "profiles": [profile], "runs": [run], "notes": "n"}, indent=1)]


TARGETS = {
    "profiles": Target(_shipped(*(folder for folder in PROFILES if folder != "published")), _check),
    "advice": Target(_shipped("benchmarks", "studies"), _advise),
    "parts": Target(_shipped(*PARTS, "workloads", "storage"), _check),
    "studies and plans": Target(_shipped(STUDIES), _check),
    "projects": Target(_projects, _project),
    "rows of stores": Target(lambda: list(_rows()), _store),
    "files of stores": Target(_store_bytes, _store_file),
    "measurements": Target(_measurements, _measured),
    "imports": Target(_imports, _imported),
    "quotations": Target(_quotations, _quotation),
    "--set": Target(_settings, _set),
    "--vary": Target(_axes, _vary),
}


def names() -> Iterator[str]:
    """Yield the names of all targets."""
    yield from TARGETS
