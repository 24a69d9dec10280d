"""The floors of the house: who may import whom, no circles, and a command line that starts light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import get_args

import pytest

from models.storage import systems

ROOT = Path(__file__).parent.parent
PACKAGES = ("app", "simulator", "models", "profiles", "headroom")


@dataclass(frozen=True)
class Floor:
    """What the modules of one package may import: packages of ours, and libraries from outside."""

    ours: frozenset[str]
    outside: frozenset[str]


def floor(*, ours: str = "", outside: str = "") -> Floor:
    return Floor(frozenset(ours.split()), frozenset(outside.split()))


FLOORS = {
    "models": floor(outside="numpy pydantic pydantic_core"),
    "profiles": floor(ours="models", outside="lz4 openpyxl platformdirs pydantic tomlkit tomllib zstandard"),
    "simulator": floor(ours="models", outside="distributed llvmlite numba numpy platformdirs scipy simpy"),
    "app.reports": floor(
        ours="models simulator",
        outside="PIL babel jinja2 markupsafe matplotlib numpy pptx pyarrow pydantic reportlab svglib typing_extensions"
        " xlsxwriter",
    ),
    "app.planning": floor(ours="app.reports models profiles simulator", outside="PIL numpy platformdirs"),
    "app.cli": floor(
        ours="app.planning app.reports models profiles simulator", outside="click numpy platformdirs rich"
    ),
    "app.gui": floor(
        ours="app.planning app.reports models profiles simulator",
        outside="PySide6 numpy platformdirs pydantic pydantic_core pyqtgraph",
    ),
    "app.service": floor(ours="app.planning app.reports models profiles simulator", outside="pydantic"),
    "app": floor(ours="app.cli"),
    "headroom": floor(outside="pandas"),
}
FREE = sys.stdlib_module_names - {"tomllib"}  # what every floor may import; only profiles/ reads TOML

HEAVY = {"PySide6", "SALib", "distributed", "matplotlib", "numba", "numpy", "pandas", "reportlab", "scipy", "simpy"}
ELSEWHERE = HEAVY - {"numpy", "simpy"} | {"asyncio", "llvmlite", "multiprocessing", "ssl"}
"""What a run has no use for."""


def name_of(path: Path) -> str:
    """Return the dotted name of a module; that of its package for an `__init__`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {name_of(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def imports(nodes: Iterable[ast.AST], package: str) -> Iterator[str]:
    """Yield the dotted name of all that is imported anywhere in a module; `package` resolves leading dots."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            origin = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


@dataclass(frozen=True)
class Parsed:
    """What the tests below ask of a module: its tree is parsed once for all of them, and let go of."""

    imports: frozenset[str]
    texts: frozenset[str]
    bare_errors: tuple[int, ...]
    names_saying_nothing: tuple[tuple[int, str], ...]
    prints: bool


@cache
def parsed(path: Path) -> Parsed:
    module = name_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    nodes = list(ast.walk(ast.parse(path.read_bytes(), str(path))))
    return Parsed(
        imports=frozenset(imports(nodes, package)),
        texts=frozenset(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)),
        bare_errors=tuple(bare_errors(nodes)),
        names_saying_nothing=tuple(place for place in bound(nodes) if place[1] in SAYING_NOTHING),
        prints=printed(nodes),
    )


def imports_of(module: str) -> frozenset[str]:
    return parsed(SOURCES[module]).imports


def floor_of(name: str) -> str:
    """Return the floor on which a name of ours lies: the longest that it starts with."""
    return max((package for package in FLOORS if f"{name}.".startswith(f"{package}.")), key=len, default="")


def trespasses(module: str, imported: Set[str]) -> list[str]:
    """Return those of the imported names that lie outside what the floor of a module may use."""
    here = floor_of(module)
    allowed = FLOORS[here]

    def is_allowed(name: str) -> bool:
        there = floor_of(name)
        if there:
            return there == here or there in allowed.ours
        return name.partition(".")[0] in FREE | allowed.outside

    return sorted(name for name in imported if not is_allowed(name))


def source_of(name: str) -> str | None:
    """Return the module of ours that an imported name is, or is defined in; None for a library's."""
    return next((known for known in (name, name.rpartition(".")[0]) if known in SOURCES), None)


def test_modules_import_only_what_their_floors_allow() -> None:
    wrong = {module: trespasses(module, imports_of(module)) for module in SOURCES}
    assert {module: names for module, names in wrong.items() if names} == {}


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {module: {source_of(name) for name in imports_of(module)} - {None, module} for module in SOURCES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


@pytest.mark.parametrize(
    ("module", "line", "expected"),
    [
        ("models.units", "import simpy", ["simpy"]),
        ("models.units", "from simulator import run", ["simulator.run"]),
        ("models.units", "def f():\n    from scipy import optimize", ["scipy.optimize"]),
        ("simulator.run", "from profiles.loading.loader import load", ["profiles.loading.loader.load"]),
        ("profiles.loading.loader", "import simulator.run as run, tomllib", ["simulator.run"]),
        ("app.cli.run", "import tomllib", ["tomllib"]),
        ("app.cli.run", "from app.gui import window", ["app.gui.window"]),
        ("app.cli.run", "from ..gui.window import Window", ["app.gui.window.Window"]),
        ("app.cli.run", "from . import check", []),
        ("app.reports.text", "from PySide6.QtGui import QColor", ["PySide6.QtGui.QColor"]),
        ("app.gui.window", "from PySide6.QtGui import QColor", []),
    ],
)
def test_an_import_against_the_arrows_is_found_wherever_it_stands(module: str, line: str, expected: list[str]) -> None:
    assert trespasses(module, set(imports(ast.walk(ast.parse(line)), module.rpartition(".")[0]))) == expected


def imported_by(*command: str) -> set[str]:
    """Return the libraries that a command imports, in a process of its own."""
    script = f"""
import sys
from app.__main__ import main
sys.argv = {["simulate", *command]!r}
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(*{{name.partition(".")[0] for name in sys.modules}})
"""
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return set(answer.stdout.splitlines()[-1].split())


def test_simulate_help_imports_no_heavy_library() -> None:
    assert not HEAVY & imported_by("--help")


def test_a_run_imports_no_library_that_only_other_commands_need() -> None:
    assert not ELSEWHERE & imported_by("--profile", "hdfs-teragen", "--set", "workload.generated=100 GB")


STORAGE = ROOT / "models" / "storage"
SYSTEMS = {path.parent.name for path in STORAGE.glob("*/system.py")}
"""The folders of the storage systems."""
NAMES = {get_args(system.model_fields["system"].annotation)[0] for system in systems.SYSTEMS}
"""What profiles call them."""


def folder_of(module: str) -> str:
    """Return the folder below models/storage in which a module lies; "" elsewhere."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["models", "storage"] and len(parts) > 3 else ""


def test_the_folders_of_the_systems_are_found() -> None:
    assert {"hdfs", "minio", "storagegrid", "amazon_s3", "parallel_fs", "ceph"} <= SYSTEMS
    assert {"hdfs", "amazon-s3"} <= NAMES


def systems_told(module: str) -> set[str]:
    """Return the storage systems that a module imports or names, though it lies outside their folders."""
    own = folder_of(module)
    reached = {folder_of(f"{name}.") for name in imports_of(module)} & SYSTEMS
    imported = {name for name in reached if not own.startswith(name)}  # Ceph's block devices stand on Ceph
    if own in SYSTEMS:
        return imported
    return imported | parsed(SOURCES[module]).texts & NAMES


def test_nothing_outside_its_folder_imports_or_names_a_storage_system() -> None:
    told = {module: systems_told(module) for module in SOURCES}
    wrong = {module: names for module, names in told.items() if names}
    assert wrong == {}, "ask the contract (models/storage/contract.py) instead"


@pytest.mark.parametrize("package", ["models", "profiles", "simulator", "app.planning", "app.reports"])
def test_the_folders_of_a_package_form_no_circle(package: str) -> None:
    depth = package.count(".") + 1
    graph: dict[str, set[str]] = {}
    for module in SOURCES:
        here = module.split(".")
        if module.startswith(f"{package}.") and len(here) > depth + 1:
            named = {name.split(".")[depth] for name in imports_of(module) if name.startswith(f"{package}.")}
            graph.setdefault(here[depth], set()).update(named - {here[depth]})
    folders = {here: {there for there in reached if there in graph} for here, reached in graph.items()}
    assert len(folders) > 1
    TopologicalSorter(folders).prepare()


GUI = ROOT / "app" / "gui"
PAGES = {path.parent.name for path in GUI.glob("*/page.py")}
"""The folders of the window's pages."""


def folder_of_window(module: str) -> str:
    """Return the folder below app/gui in which a module lies; "" elsewhere."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["app", "gui"] and len(parts) > 3 else ""


def test_what_ships_lies_in_the_library_and_its_readers_beside_it() -> None:
    shipped = {path for path in (ROOT / "profiles").rglob("*.toml") if "imports" not in path.parts}
    library = ROOT / "profiles" / "library"
    assert {path for path in shipped if not path.is_relative_to(library)} == set()
    assert list(library.rglob("*.py")) == []


def test_every_page_of_the_window_has_one_line_in_the_registry() -> None:
    registry = (GUI / "pages.py").read_text(encoding="utf-8")
    assert len(PAGES) >= 9
    assert all(registry.count(f'"{page}.page:') == 1 for page in PAGES)


def pages_of_others(module: str) -> set[str]:
    """Return the pages that a module of the window imports from outside their folders."""
    reached = {folder_of_window(f"{source_of(name)}") for name in imports_of(module)} & PAGES
    return reached - {folder_of_window(module)}


def test_a_page_of_the_window_is_imported_by_no_other_folder() -> None:
    pages = {module: pages_of_others(module) for module in SOURCES if module.startswith("app.gui.")}
    wrong = {module: names for module, names in pages.items() if names}
    assert wrong == {}, "share it through app/gui/studies, charts or tables instead"


def test_the_folders_of_the_window_form_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module in SOURCES:
        here = folder_of_window(module)
        graph.setdefault(here, set()).update(folder_of_window(f"{source_of(name)}") for name in imports_of(module))
    TopologicalSorter({here: there - {here, ""} for here, there in graph.items() if here}).prepare()


def test_no_file_is_longer_than_can_be_read_at_once() -> None:
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in SOURCES.items()}
    assert {module: lines for module, lines in lengths.items() if lines > 400} == {}


CHECKS_OF_OUR_OWN = {
    "models.distributions",
    "models.hardware.cluster",
    "models.planning.durability",
    "models.requests",
    "models.work",
}
"""Modules that also check what other modules of ours hand them: what fails there is a fault of the program."""


def bare_errors(nodes: Iterable[ast.AST]) -> list[int]:
    """Return the lines at which a module raises a bare error of values."""
    raised = [node.exc for node in nodes if isinstance(node, ast.Raise)]
    return [error.lineno for error in raised if isinstance(error, ast.Call) and ast.unparse(error.func) == "ValueError"]


def test_models_refuse_input_with_a_refusal_and_not_with_a_bare_error() -> None:
    models = {module for module in SOURCES if module.startswith("models.")} - CHECKS_OF_OUR_OWN
    wrong = {module: lines for module in sorted(models) if (lines := parsed(SOURCES[module]).bare_errors)}
    hint = "raise refusal(key, expected, way_out, value=...) of models.problem for input that is wrong"
    assert wrong == {}, hint


SAYING_NOTHING = {"each", "found", "said"}
"""Names that leave open what a thing is."""
WRITTEN = [path for folder in (*PACKAGES, "package", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]


def bound(nodes: Collection[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and name of each local, parameter and target; what stands in a class itself is a field of it."""
    of_classes = (node.body for node in nodes if isinstance(node, ast.ClassDef))
    stated = [
        statement for body in of_classes for statement in body if isinstance(statement, ast.Assign | ast.AnnAssign)
    ]
    fields = {id(node) for statement in stated for node in ast.walk(statement)}
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in fields:
                yield node.lineno, name
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield node.lineno, name


@pytest.mark.parametrize(
    "line",
    [
        "for each in rows: pass",
        "rows = [each for each in rows]",
        "def f():\n    found = 1",
        "def f(*, said): pass",
        "f(lambda each: each)",
        "with f() as found: pass",
        "if found := f(): pass",
        "try: pass\nexcept OSError as said: pass",
        "class A:\n    def f(self):\n        said, text = f()",
    ],
)
def test_a_name_that_says_nothing_is_seen_wherever_it_is_bound(line: str) -> None:
    assert {name for _, name in bound(list(ast.walk(ast.parse(line))))} & SAYING_NOTHING


def test_a_field_may_be_called_as_its_users_call_it() -> None:
    tree = ast.parse("class A:\n    each: int\n    found = f()")
    assert not {name for _, name in bound(list(ast.walk(tree)))} & SAYING_NOTHING


def test_locals_have_names_that_say_what_they_are() -> None:
    names = ((path, *place) for path in WRITTEN for place in parsed(path).names_saying_nothing)
    wrong = [f"{path.relative_to(ROOT)}:{line}: {name}" for path, line, name in names]
    assert wrong == [], "call it by what it is, such as row, path or answer"


UNTOLD = {
    "app.cli.terminal.put": {
        "app.cli.demo": "JSON",
        "app.cli.failures": "what is wrong, on stderr: the writer of reports may be what has failed",
        "app.cli.importing": "JSON, and the script that gathers what servers say",
        "app.cli.prices": "TOML with questions, to be put into a file",
        "app.cli.reference": "a page of Markdown, from which docs/reference.md is made",
        "app.cli.schema": "a JSON Schema",
    },
    "app.cli.output.write": {
        "app.cli.accept": "the scripts of the kit",
        "app.cli.calibrate": "parts of a profile, TOML",
        "app.cli.importing": "profiles, TOML",
        "app.cli.plan": "profiles, TOML",
        "app.cli.prices": "a price list, TOML",
        "app.cli.reporting": "the forms of a report",
        "app.cli.run": "the forms of a report",
        "app.cli.sweep": "the forms of a report",
        "app.cli.validate": "docs/validation.md and its picture; the answer as text or JSON",
    },
    "app.reports.tables.text_table": {"app.reports.forms.document_text": "the text writer of reports"},
}
"""What may be printed without the text writer of reports, by the function and the module that prints it, and why."""
PRINTERS = {"app.cli.output", "app.cli.terminal", "app.service.serve"}
"""What writes to a terminal, or to whoever started the process."""
ANSWERING = {"app.cli", "app.planning", "app.reports", "app.service"}
"""Floors that answer; `headroom` says on a terminal why it cannot open its window."""


def printed(nodes: Iterable[ast.AST]) -> bool:
    """Tell whether a module prints: it calls `print`, `echo`, or `write` of a stream of the process."""
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    likely = [func for func in called if _last(func).endswith(("print", "echo", "write"))]  # the rest need no words
    names = [ast.unparse(func) for func in likely]
    return any(name == "print" or name.endswith(("echo", "stdout.write", "stderr.write")) for name in names)


def _last(func: ast.expr) -> str:
    """Return the last name of what is called, "" where it has none."""
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


@pytest.mark.parametrize("name", UNTOLD)
def test_words_for_people_come_from_the_text_writer_of_reports(name: str) -> None:
    assert {module for module in SOURCES if name in imports_of(module)} == UNTOLD[name].keys()


def test_nothing_prints_but_what_is_there_to_print() -> None:
    answering = [module for module in SOURCES if floor_of(module) in ANSWERING]
    assert {module for module in answering if parsed(SOURCES[module]).prints} <= PRINTERS


PAINTER = "app.gui.charts."
"""Where the window's charts are drawn, from the descriptions that reports draw from."""
BY_HAND = {
    "app.gui.playback.picture": "the scale of colours of the picture",
    "app.gui.playback.server_view": "the time of a task, over a chart that is described",
}
"""The other modules that know the library of plots, and what for."""
SHARED = {
    "run.run_charts": ("stages", "utilization", "waterfall", "latencies", "schedule", "used_by", "rates", "tails"),
    "sweep.sweep_charts": ("curves", "field", "front"),
    "parity": ("Parity",),
}
"""Charts that both the window and the reports draw, by the module that describes them."""


def test_the_window_draws_charts_from_the_descriptions_that_reports_draw_from() -> None:
    plotting = {module for module in SOURCES if any(name.startswith("pyqtgraph") for name in imports_of(module))}
    assert {module for module in plotting if not module.startswith(PAINTER)} == BY_HAND.keys()


@pytest.mark.parametrize(("described", "chart"), [(module, name) for module in SHARED for name in SHARED[module]])
def test_a_chart_is_drawn_by_the_window_and_by_reports(described: str, chart: str) -> None:
    source = f"app.reports.{described}"
    call = re.compile(rf"\b{source.rpartition('.')[2]}\.{chart}\(|(?<![\w.]){chart}\(")
    users = {
        floor_of(module)
        for module in SOURCES
        if any(name in {source, f"{source}.{chart}"} for name in imports_of(module))
        and call.search(ast.unparse(ast.parse(SOURCES[module].read_bytes())))
    }
    assert users == {"app.gui", "app.reports"}


def test_the_window_has_a_painter_for_what_its_pages_show_and_reports_have_one_for_all() -> None:
    from app.gui.charts.drawn import PAINTERS as WINDOW
    from app.reports.charts import PAINTERS as REPORTS

    assert WINDOW.keys() < REPORTS.keys()
