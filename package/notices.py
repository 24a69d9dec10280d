"""Licence notices of what the packaged program holds, from the metadata and licence files of what was collected.

A build that holds a file whose licence is not known, or a component under a licence of the GNU family of which nobody
has said how its terms are met, gets no notices: `UnclearError` names what is to be settled.
"""

from __future__ import annotations

import re
import subprocess
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, distributions
from pathlib import Path
from textwrap import fill

ROOT = Path(__file__).parent.parent
OURS = "headroom"
TEXT = re.compile(r"licen[cs]e|copying|copyright|notice|authors", re.IGNORECASE)
NO_TEXT = {".py", ".pyc", ".pyi", ".so", ".h", ".png"}
COMMON = Path("/usr/share/common-licenses")  # where Debian's copyright files point to
GNU = ("LGPL-3.0.txt", "GPL-3.0.txt")

QT = """The window uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They are unchanged and
lie as separate files in _internal/PySide6 and _internal/shiboken6: you may replace them by any that work the same way.
Their sources: https://download.qt.io/official_releases/qt/ and
https://download.qt.io/official_releases/QtForPython/pyside6/, each in the folder of the version given below.
What Qt itself contains: https://doc.qt.io/qt-6/licenses-used-in-qt.html"""
SVGLIB = """svglib is under the GNU Lesser General Public License, version 3. It is unchanged, and lies as source in
_internal/svglib: you may change or replace it. Its releases: https://pypi.org/project/svglib/#files"""
LOADER = """The two executables begin with PyInstaller's boot loader, which is under the GNU General Public License with
an exception that lets it start programs under any licence. Of pyinstaller-hooks-contrib only hooks that run in the
program are in it, which are under the Apache license 2.0."""
TERMS = {"PySide6_Essentials": QT, "shiboken6": QT, "svglib": SVGLIB}
TERMS |= {"pyinstaller": LOADER, "pyinstaller-hooks-contrib": LOADER}
SYSTEM = {
    "libbz2": "bzip2 license",
    "libexpat": "MIT",
    "libffi": "MIT",
    "liblzma": "public domain, 0BSD",
    "libsqlite3": "public domain",
    "libssl": "Apache-2.0",
    "libuuid": "BSD-3-Clause",
    "libxcb": "MIT",
    "libXau": "MIT",
    "libXdmcp": "MIT",
    "libxkbcommon": "MIT",
    "libzstd": "BSD-3-Clause",
    "python3": "PSF-2.0",
    "zlib1g": "Zlib",
}
"""What the libraries of Debian's packages that begin so are under; their texts name those of tools and tests, too."""
TEXTS = {"PySide6_Essentials": GNU, "shiboken6": GNU}  # whose distributions hold no text


class UnclearError(Exception):
    """Says of which files or components the licence, or how its terms are met, is not known."""


@dataclass(frozen=True, slots=True)
class Component:
    """What was collected from one origin: its licence in short, where it is at home, and all its licence texts."""

    name: str
    version: str
    licence: str
    home: str
    texts: tuple[str, ...]

    @property
    def is_gnu(self) -> bool:
        """Whether its licence is of those that ask for more than a notice."""
        return re.search(r"\b[AL]?GPL|GNU", self.licence) is not None


COMPLAINTS: tuple[tuple[str, Callable[[Component], bool]], ...] = (
    ("no licence text was found for", lambda component: not component.texts),
    ("package/notices.py does not say under what is", lambda component: not component.licence),
    (
        "under a GNU licence, and package/notices.py does not say how its terms are met",
        lambda component: component.is_gnu and component.name not in TERMS,
    ),
)


class Origins:
    """The distributions that are installed, by the files that they brought."""

    def __init__(self, installed: Iterable[Distribution]) -> None:
        self._of_file: dict[Path, Distribution] = {}
        for distribution in installed:
            for file in distribution.files or ():
                self._of_file[Path(str(distribution.locate_file(file))).resolve()] = distribution

    def of(self, file: Path) -> Distribution | None:
        """Return the distribution that brought a file, None if none did."""
        return self._of_file.get(file.resolve())


@dataclass(frozen=True)
class Python:
    """The Python that the build runs on."""

    version: str = sysconfig.get_python_version()
    library: Path = Path(sysconfig.get_paths()["stdlib"])
    prefix: Path = Path(sysconfig.get_config_var("installed_base"))

    def holds(self, file: Path) -> bool:
        """Tell whether a file is of the standard library, or a library that Python's installer brought."""
        real = file.resolve()
        if self.prefix == Path("/usr"):  # where all of the system lies
            return real.is_relative_to(self.library) or real.name.startswith("libpython")
        return real.is_relative_to(self.library) or real.is_relative_to(self.prefix)

    @cached_property
    def component(self) -> Component:
        """Python as a component."""
        places = (self.library, self.prefix, Path(f"/usr/share/doc/python{self.version}"))
        texts = [place / name for place in places for name in ("LICENSE.txt", "LICENSE", "copyright")]
        licences = tuple(read(path) for path in texts if path.is_file())[:1]
        return Component("Python", self.version, "PSF-2.0", "https://www.python.org", licences)


def components(collected: Iterable[Path], origins: Origins, python: Python) -> tuple[Component, ...]:
    """Return what the files of a build come from, by name, without what is ours.

    Raises:
        UnclearError: the origin of a file is not known.
    """
    files: dict[Distribution, list[Path]] = {}
    by_name: dict[str, Component] = {}
    unknown = []
    for file in collected:
        distribution = origins.of(file)
        if distribution is not None:
            files.setdefault(distribution, []).append(file)
        elif python.holds(file):
            by_name["Python"] = python.component
        elif not file.resolve().is_relative_to(ROOT):
            component = of_debian(file)
            if component is None:
                unknown.append(str(file))
            else:
                by_name[component.name] = component
    if unknown:
        raise UnclearError(f"whose are these? Outside of Debian and Ubuntu nothing says so: {', '.join(unknown)}")
    for distribution, taken in files.items():
        if distribution.name != OURS:
            by_name[distribution.name] = of_distribution(distribution, taken)
    return tuple(sorted(by_name.values(), key=lambda component: component.name.lower()))


def of_distribution(distribution: Distribution, taken: Iterable[Path]) -> Component:
    """Return a distribution as a component; texts beside files of it count where one of those files was taken."""
    folders = {file.resolve().parent for file in taken}
    texts = []
    for file in distribution.files or ():
        path = Path(str(distribution.locate_file(file))).resolve()
        is_metadata = any(part.endswith(".dist-info") for part in file.parts)
        if TEXT.search(file.name) and path.suffix not in NO_TEXT and (is_metadata or path.parent in folders):
            texts.append(path)
    texts += [ROOT / "package" / "licenses" / name for name in TEXTS.get(distribution.name, ())]
    read_texts = tuple(dict.fromkeys(map(read, texts)))
    return Component(
        distribution.name, distribution.version, licence_of(distribution), home_of(distribution), read_texts
    )


def licence_of(distribution: Distribution) -> str:
    """Return the licence in short: an expression, one line, or what the classifiers say."""
    stated = next(
        filter(None, (*stated_of(distribution, "License-Expression"), *stated_of(distribution, "License"))), ""
    )
    if 0 < len(stated) <= 80 and "\n" not in stated:
        return stated
    licences = [
        classifier.rpartition(" :: ")[2]
        for classifier in stated_of(distribution, "Classifier")
        if classifier.startswith("License")
    ]
    return ", ".join(licences) or stated.strip().partition("\n")[0]


def home_of(distribution: Distribution) -> str:
    """Return where a distribution is at home: what it calls so, or its page on PyPI."""
    urls = dict(link.lower().split(", ", 1) for link in stated_of(distribution, "Project-URL"))
    named = (urls.get(label, "") for label in ("homepage", "home", "source", "repository", "source code"))
    on_pypi = f"https://pypi.org/project/{distribution.name}"
    return next(filter(None, (*stated_of(distribution, "Home-page"), *named)), on_pypi)


def stated_of(distribution: Distribution, field: str) -> list[str]:
    """Return all that the metadata of a distribution state in a field."""
    return distribution.metadata.get_all(field) or []


def of_debian(file: Path) -> Component | None:
    """Return the package of the system that brought a file, None if there is no such package."""
    for path in (file, file.resolve(), Path("/usr", *file.parts[1:])):
        package = dpkg("-S", str(path)).partition(":")[0]
        if package:
            text = Path("/usr/share/doc", package, "copyright")
            licence = next((terms for start, terms in SYSTEM.items() if package.startswith(start)), "")
            home = f"https://packages.debian.org/source/{package}"
            texts = (read(text),) if text.is_file() else ()
            return Component(package, dpkg("-W", "-f", "${Version}", package), licence, home, texts)
    return None


def dpkg(*words: str) -> str:
    """Return what Debian's list of packages answers, "" if it knows nothing, or there is no such list."""
    try:
        return subprocess.run(["dpkg-query", *words], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""


def render(listed: Sequence[Component]) -> str:
    """Return the notices as one text: what is in the program, whose terms ask for more, and each text once.

    Raises:
        UnclearError: a component has no licence text, or is under a GNU licence of which `TERMS` says nothing.
    """
    for complaint, is_wrong in COMPLAINTS:
        names = [component.name for component in listed if is_wrong(component)]
        if names:
            raise UnclearError(f"{complaint}: {', '.join(names)}")
    return "\n\n".join([_head(), *_terms(listed), _table(listed), *_texts(listed)]) + "\n"


def _head() -> str:
    text = (
        "Headroom is under the Apache license 2.0, see LICENSE. This folder also holds what is listed here, each"
        " under its own licence; the texts follow the list."
    )
    return f"{_title('Third-party notices')}\n\n{fill(text, 100)}"


def _terms(listed: Sequence[Component]) -> Iterator[str]:
    yield from dict.fromkeys(TERMS[component.name] for component in listed if component.name in TERMS)


def _table(listed: Sequence[Component]) -> str:
    rows = [
        f"{component.name} {component.version}\n    {component.licence}\n    {component.home}" for component in listed
    ]
    return "\n".join([_title("What is in it"), "", *rows])


def _texts(listed: Sequence[Component]) -> Iterator[str]:
    """Yield each text under the names of all that it is for, and those that Debian's texts point to at the end."""
    names: dict[str, list[str]] = {}
    for component in listed:
        for text in component.texts:
            users = names.setdefault(text, [])
            users += [component.name] if component.name not in users else []
    for text, users in names.items():
        yield f"{_title(', '.join(users))}\n\n{text}"
    pointed = sorted({name for text in names for name in re.findall(rf"{COMMON}/([\w.+-]*\w)", text)})
    for path in (COMMON / name for name in pointed):
        if path.is_file():
            yield f"{_title(str(path))}\n\n{read(path)}"


def _title(text: str) -> str:
    return f"{text}\n{'=' * min(len(text), 100)}"


def read(path: Path) -> str:
    """Return a text without the empty lines around it."""
    return path.read_text(encoding="utf-8", errors="replace").strip("\n")


def notices(collected: Path) -> str:
    """Return the notices of a build from the list of the files that went into it.

    Raises:
        UnclearError: see `components` and `render`.
    """
    files = [Path(line) for line in collected.read_text(encoding="utf-8").splitlines() if line]
    return render(components([file for file in files if file.exists()], Origins(distributions()), Python()))
