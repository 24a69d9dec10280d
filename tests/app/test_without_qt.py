"""The command line installs without the window's extra, so it must do all of its work where there is no Qt."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WINDOW = ("PySide6", "shiboken6", "pyqtgraph")

WITHOUT = f"""
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {WINDOW}:
            raise ModuleNotFoundError("No module named " + name, name=name)
sys.meta_path.insert(0, Missing())
from {{module}} import main
sys.exit(main())
"""


def without_qt(module: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program where nothing of the window's extra can be imported."""
    command = [sys.executable, "-c", WITHOUT.format(module=module), *words]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )


def test_the_base_asks_for_nothing_of_the_window() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = " ".join(project["dependencies"]).lower()
    assert [name for name in WINDOW if name.lower() in named] == []


def test_a_run_writes_its_reports_without_qt(small: tuple[str, ...], tmp_path: Path) -> None:
    written = [tmp_path / f"report.{form}" for form in ("pdf", "html", "xlsx", "md")]
    ended = without_qt("app.__main__", *small, *(word for path in written for word in ("--report", str(path))))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("TeraSort 1 TB on HDFS")
    assert [path.name for path in written if path.stat().st_size < 2_000] == []


def test_the_window_says_what_to_install_where_qt_is_missing() -> None:
    ended = without_qt("app.gui.main")
    assert ended.returncode == 1
    assert ended.stderr == "headroom: the window needs Qt, which is not installed: pip install 'headroom[gui]'\n"
