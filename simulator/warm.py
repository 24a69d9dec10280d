"""Compile the kernels ahead of the first run: `python -m simulator.warm`. Takes some 25 s, once."""

from __future__ import annotations

import shutil

from models.requests import Closed, Kind, RequestRun, Station, Visit
from models.work import Resources, Use, Work, demand
from simulator.compiled import cache_folder
from simulator.engine import Engine
from simulator.requests import run_requests


def warm() -> None:
    """Compile all kernels into the cache, and remove what older versions left in it."""
    folder = cache_folder()
    for old in folder.parent.glob("kernels-*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
    resources = Resources()
    drive = resources.add("drive", kind="drive", group="drives", unit="B", capacity=1.0)
    engine = Engine(resources)
    engine.execute(Work(1.0, demand([Use(drive, 1.0)])), lambda: None)
    engine.call_at(0.5, lambda: engine.lose({drive.index}))
    engine.run()
    engine.close()
    run_requests(RequestRun("warm", (Kind("get", (Visit(Station("server")),)),), Closed(1), 1))


if __name__ == "__main__":
    warm()
