"""What the build asks for before it begins."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from package.build import main, write_bill
from package.drive import screens


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="tools come with the packages of Debian")
def test_a_build_without_its_tools_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main() == 2
    text = capsys.readouterr().err
    assert text.startswith("package: the build needs, as root: apt-get install -y --no-install-recommends binutils")


def test_the_window_is_tried_without_a_screen_whether_or_not_there_can_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert next(iter(screens())) == ()
    if shutil.which("xvfb-run"):
        assert len(list(screens())) == 2
    monkeypatch.setenv("PATH", "/nowhere")
    assert list(screens()) == [()]


@pytest.mark.skipif(shutil.which("uv") is None, reason="uv lies where make finds it, and need not be on the path")
def test_the_bill_of_software_names_every_package_with_its_version(tmp_path: Path) -> None:
    write_bill(tmp_path / "bill.json")
    bill = json.loads((tmp_path / "bill.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    named = {component["name"]: component["version"] for component in bill["components"]}
    assert {"numba", "openpyxl", "pyside6-essentials", "distributed"} <= named.keys()
    assert all(named.values())
