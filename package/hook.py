"""Compiles the kernels while Headroom is installed from source, or its wheel is built, so that no first run waits.

Hatchling calls it for wheels and for editable installations, which pip, uv and others ask for alike. Kernels that are
there already stay as they are. Where they cannot be compiled the installation goes on: the first run compiles them.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Kernels(BuildHookInterface):  # type: ignore[misc]  # has no types here, where hatchling is not installed
    """The kernels of this machine in simulator/kernels, from where an editable installation and a wheel take them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them before files are collected."""
        words = [sys.executable, "-m", "simulator.warm"]
        if subprocess.run(words, cwd=self.root, check=False).returncode:
            self.app.display_warning("The kernels could not be compiled; the first run will do that.")
