"""The kernels are compiled when the program is installed, and an installation never fails for them."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]


def told(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what the hook warns of where the project lies in a folder."""
    interface = ModuleType("interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", interface)
    for package in ("hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"):
        monkeypatch.setitem(sys.modules, package, ModuleType(package))
    names: dict[str, object] = {}
    exec((ROOT / HOOK["path"]).read_text(encoding="utf-8"), names)
    warnings: list[str] = []
    hook = names["Kernels"]()  # type: ignore[operator]
    hook.root, hook.app = str(root), SimpleNamespace(display_warning=warnings.append)
    hook.initialize("editable", {})
    return warnings


def warm(root: Path, text: str) -> Path:
    """Write a package that compiles nothing in the place of ours, and return its folder."""
    (root / "simulator").mkdir()
    (root / "simulator" / "__init__.py").touch()
    (root / "simulator" / "warm.py").write_text(text, encoding="utf-8")
    return root


def test_kernels_are_compiled_with_what_the_program_is_installed_with() -> None:
    assert set(HOOK["dependencies"]) <= set(PROJECT["project"]["dependencies"])


def test_an_installation_compiles_the_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(warm(tmp_path, "open('compiled', 'w')"), monkeypatch) == []
    assert (tmp_path / "compiled").exists()


def test_an_installation_goes_on_where_kernels_cannot_be_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "the first run will do that" in told(warm(tmp_path, "raise SystemExit(1)"), monkeypatch)[0]
