"""The licence notices name all that is in a build, and there are none while anything about it is unclear."""

from __future__ import annotations

from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

import numpy as np
import pytest
import simpy

from package.notices import (
    LOADER,
    QT,
    ROOT,
    TERMS,
    Component,
    Origins,
    Python,
    UnclearError,
    components,
    notices,
    of_distribution,
    render,
)

SIMPY = Path(simpy.__file__)
ORIGINS = Origins(distribution(name) for name in ("numpy", "simpy"))


def component(name: str = "leaf", licence: str = "MIT", *texts: str) -> Component:
    return Component(name, "1.0", licence, "https://leaf.example", texts or ("Do as you like.",))


def installed(folder: Path, name: str, *metadata: str, **texts: str) -> Distribution:
    """Install a distribution of one module into a folder, with lines of metadata and texts beside these."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / f"{name}.py").touch()
    (info / "METADATA").write_text("\n".join([f"Name: {name}", "Version: 1.0", *metadata]), encoding="utf-8")
    for stem, text in texts.items():
        (info / stem).write_text(text, encoding="utf-8")
    files = [f"{name}.py", *(f"{info.name}/{path.name}" for path in info.iterdir())]
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files), encoding="utf-8")
    return next(iter(distributions(path=[str(folder)])))


def test_what_was_collected_is_traced_to_what_brought_it() -> None:
    library = Python().library
    collected = [SIMPY, SIMPY.parent / "core.py", library / "json" / "decoder.py", ROOT / "app" / "__main__.py"]
    by_name = {part.name: part for part in components(collected, ORIGINS, Python())}
    assert sorted(by_name) == ["Python", "simpy"]
    assert by_name["simpy"].licence == "MIT"
    assert "Permission is hereby granted" in by_name["simpy"].texts[0]
    assert by_name["Python"].licence == "PSF-2.0"


def test_libraries_that_a_distribution_bundles_are_told_of_in_its_texts() -> None:
    [bundling] = components([Path(np.__file__)], ORIGINS, Python())
    assert any("OpenBLAS" in text for text in bundling.texts)


def test_a_file_of_unknown_origin_stops_the_notices(tmp_path: Path) -> None:
    stray = tmp_path / "stray.so"
    stray.touch()
    with pytest.raises(UnclearError, match=r"whose are these\?.*stray\.so"):
        components([SIMPY, stray], ORIGINS, Python())


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        (("License-Expression: BSD-3-Clause", "License: BSD"), "BSD-3-Clause"),
        (("License: MIT",), "MIT"),
        (("License: ", "Classifier: License :: OSI Approved :: BSD License"), "BSD License"),
        ((f"License: {'All of the text. ' * 9}", "Classifier: License :: OSI Approved :: ISC"), "ISC"),
        (("Classifier: Topic :: Games",), ""),
    ],
)
def test_the_licence_is_given_in_a_line(metadata: tuple[str, ...], licence: str, tmp_path: Path) -> None:
    assert of_distribution(installed(tmp_path, "leaf", *metadata), []).licence == licence


@pytest.mark.parametrize(
    ("metadata", "home"),
    [
        ((), "https://pypi.org/project/leaf"),
        (("Project-URL: Changes, https://leaf.example/new",), "https://pypi.org/project/leaf"),
        (("Project-URL: Source, https://a.example", "Project-URL: Homepage, https://b.example"), "https://b.example"),
        (("Home-page: https://old.example", "Project-URL: Homepage, https://leaf.example"), "https://old.example"),
    ],
)
def test_the_home_is_what_a_distribution_calls_so(metadata: tuple[str, ...], home: str, tmp_path: Path) -> None:
    assert of_distribution(installed(tmp_path, "leaf", *metadata), []).home == home


def test_all_licence_files_of_a_distribution_are_taken_and_no_other(tmp_path: Path) -> None:
    leaf = installed(tmp_path, "leaf", LICENSE="terms", NOTICE="thanks", notes="private")
    assert sorted(of_distribution(leaf, [tmp_path / "leaf.py"]).texts) == ["terms", "thanks"]


@pytest.mark.parametrize(
    ("amiss", "text"),
    [
        (Component("bare", "1.0", "MIT", "", ()), "no licence text was found for: bare"),
        (component("mute", ""), "does not say under what is: mute"),
        (component("free", "GPL-3.0-only"), "under a GNU licence, .*: free"),
        (component("freer", "GNU Lesser General Public License v3"), "under a GNU licence, .*: freer"),
    ],
)
def test_notices_are_refused_while_something_is_unclear(amiss: Component, text: str) -> None:
    with pytest.raises(UnclearError, match=text):
        render([component(), amiss])


def test_terms_that_ask_for_more_are_told_once() -> None:
    lgpl = "LGPL-3.0-only"
    text = render([component("PySide6_Essentials", lgpl), component("shiboken6", lgpl), component()])
    assert text.count(QT) == 1
    assert LOADER not in text


def test_a_text_that_several_share_is_given_once_with_their_names() -> None:
    text = render([component("leaf", "MIT", "same"), component("twig", "MIT", "same"), component("root", "MIT", "own")])
    assert "leaf, twig\n==========\n\nsame\n" in text
    assert text.count("same") == 1


def test_who_is_told_of_in_the_terms_has_the_licence_that_they_name() -> None:
    names = {known.name: known for known in distributions()}
    told = [of_distribution(names[name], []) for name in TERMS if name in names]
    assert {part.name for part in told} >= {"PySide6_Essentials", "shiboken6", "svglib"}
    assert all(part.is_gnu for part in told)


def test_no_dependency_under_a_gnu_licence_comes_in_unnoticed() -> None:
    shipped = {"numpy", "scipy", "simpy", "numba", "pydantic", "reportlab", "svglib", "rich", "click"}
    shipping = [of_distribution(known, []) for known in distributions() if known.name in shipped]
    assert {part.name for part in shipping if part.is_gnu} == {"svglib"}


def test_notices_of_a_list_of_files_name_what_brought_them(tmp_path: Path) -> None:
    listed = tmp_path / "collected.txt"
    listed.write_text(f"{SIMPY}\n{tmp_path / 'was-made-while-building.zip'}\n", encoding="utf-8")
    text = notices(listed)
    assert text.startswith("Third-party notices\n===================\n")
    assert "\nsimpy " in text
