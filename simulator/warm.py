"""Compile the kernels ahead of the first run: `python -m simulator.warm`. Takes some 25 s, once."""

from __future__ import annotations

import shutil

from simulator.library import beside, load, make


def warm() -> None:
    """Compile all kernels beside the source unless they are there, and remove what older versions left."""
    folder = beside()
    for old in folder.parent.glob("*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
    if load(folder) is None:
        make(folder)


if __name__ == "__main__":
    warm()
