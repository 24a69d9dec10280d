"""A profile and what can be asked of it: one method for each command of `simulate` that takes a profile."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from headroom.answers import Answer, Capacity, Durability, Lint, Run, Sensitivity, Size, Sweep
from headroom.errors import refused
from headroom.process import OnDone, ask

Value = str | int | float | bool
"""What a key of a profile may be set to: a text as `--set` takes it ("25 Gbit/s"), or a number."""
Values = str | Sequence[Value]
"""What a key may be varied over: a text as `--vary` takes it ("4..64:4"), or the values one by one."""


class Profile(Answer):
    """A profile with the changes of `load`. `simulate profiles NAME`.

    Each method reads the profile's files again, from the `folder` in which it was loaded.
    """

    table = "values"
    name: str
    family: str
    title: str
    values: tuple[dict[str, Any], ...]
    resolved: dict[str, Any]

    def __init__(self, told: Mapping[str, Any], settings: Mapping[str, str], folder: str) -> None:
        super().__init__(told)
        self.settings = dict(settings)
        self.folder = folder

    def run(
        self,
        *,
        seed: int = 0,
        replications: int = 1,
        tolerance: float | None = None,
        interval: str = "none",
        on_done: OnDone | None = None,
    ) -> Run:
        """Simulate it. `tolerance` is the part of a work that may be left undone, at most 0.001; 0 is exact.

        Unless it is 0, some of 2,000 and more servers that are alike stand for the others.

        `interval` asks for `prediction`, how sure the answer is: "fast" from at most 8 runs more, "full" from 48.

        >>> import headroom
        >>> run = headroom.load("hdfs-terasort", {"workload.input": "10 GB"}).run(replications=3)
        >>> low, high = run.interval
        >>> low < run.duration < high
        True
        """
        return Run(
            self._asked("run", on_done, seed=seed, replications=replications, tolerance=tolerance, interval=interval)
        )

    def capacity(
        self,
        targets: Sequence[str] = (),
        *,
        seed: int = 0,
        replications: int = 1,
        workers: int | None = None,
        interval: str = "none",
        on_done: OnDone | None = None,
    ) -> Capacity:
        """Say what the cluster holds, when it is full, and how long it meets targets while it grows.

        With the `interval` "fast" or "full", `prediction` says how sure that is, which takes no runs but for targets.

        >>> import headroom
        >>> growing = headroom.load("growth-hdfs").capacity()
        >>> print(growing.growth["full"]["date"], growing.limit)
        2031-03-16 room to rebuild 1 server
        """
        asked = {"targets": _texts("targets", targets), "seed": seed, "replications": replications, "workers": workers}
        return Capacity(self._asked("capacity", on_done, **asked, interval=interval))

    def durability(self, paths: int | None = None, *, seed: int = 0) -> Durability:
        """Say how long until data is lost and what may fail at once; with `paths`, losses are simulated as well."""
        return Durability(self._asked("durability", None, paths=paths, seed=seed))

    def lint(self) -> Lint:
        """Say what is unwise in the design.

        >>> import headroom
        >>> headroom.load("minio-terasort").lint().advice[0]["key"]
        'client.fs.s3a.buffer.dir'
        """
        return Lint(self._asked("lint", None))

    def sweep(
        self,
        vary: Mapping[str, Values],
        *,
        zipped: bool = False,
        seed: int = 0,
        replications: int = 1,
        workers: int | None = None,
        store: str | os.PathLike[str] | None = None,
        interval: str = "none",
        on_done: OnDone | None = None,
    ) -> Sweep:
        """Vary keys and simulate every point, all combinations or, `zipped`, side by side.

        Points are kept in the file `store`, by default in that of all sweeps, and not run again. With the `interval`
        "fast" or "full" each has a `prediction`.

        >>> import headroom
        >>> profile = headroom.load("hdfs-terasort", {"workload.input": "10 GB"})
        >>> swept = profile.sweep({"cluster.groups.workers.count": [8, 12]}, workers=1, interval="fast")
        >>> all(point.prediction.low < point.duration < point.prediction.high for point in swept.points)
        True
        """
        asked = {"vary": _varied(vary), "zip": zipped, "seed": seed, "replications": replications, "workers": workers}
        kept = None if store is None else os.fspath(store)
        return Sweep(self._asked("sweep", on_done, **asked, store=kept, scheduler=None, interval=interval))

    def size(
        self,
        vary: Mapping[str, Values],
        targets: Sequence[str],
        *,
        minimize: str = "servers",
        seed: int = 0,
        replications: int = 1,
        workers: int | None = None,
        interval: str = "none",
        on_done: OnDone | None = None,
    ) -> Size:
        """Find the configuration with the least of a measure that meets every target.

        With the `interval` "fast" or "full", `prediction` says how sure the answer of the best is.

        >>> import headroom
        >>> profile = headroom.load("hdfs-terasort", {"workload.input": "10 GB"})
        >>> sizing = profile.size({"cluster.groups.workers.count": "4..16:4"}, ["duration <= 60 s"], workers=1)
        >>> sizing.best.values
        {'cluster.groups.workers.count': '4'}
        """
        asked = {"vary": _varied(vary), "targets": _texts("targets", targets), "minimize": minimize}
        runs = {"seed": seed, "replications": replications, "workers": workers, "interval": interval}
        return Size(self._asked("size", on_done, **asked, **runs))

    def sensitivity(
        self,
        inputs: Mapping[str, str] | None = None,
        *,
        measure: str = "duration",
        samples: int = 64,
        sobol: int = 0,
        seed: int = 0,
        workers: int | None = None,
        on_done: OnDone | None = None,
    ) -> Sensitivity:
        """Say what better parts would bring, and what inputs that are not known exactly do: "LOW..HIGH", "9 +- 5 %"."""
        asked = {"inputs": dict(inputs or {}), "measure": measure, "samples": samples, "sobol": sobol}
        return Sensitivity(self._asked("sensitivity", on_done, **asked, seed=seed, workers=workers))

    def _asked(self, question: str, on_done: OnDone | None, **arguments: Any) -> Any:
        of_profile = {"profile": self.name, "set": self.settings, "study": None}
        return ask(question, self.folder, {**of_profile, **arguments}, on_done)


def settings_of(settings: Mapping[str, Value]) -> dict[str, str]:
    """Return changes of a profile as the texts that `--set` takes."""
    return {key: _text(key, value) for key, value in settings.items()}


def _varied(vary: Mapping[str, Values]) -> dict[str, str]:
    return {
        key: values if isinstance(values, str) else ",".join(_text(key, value) for value in values)
        for key, values in vary.items()
    }


def _texts(name: str, texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):
        raise refused(name, "is a list of texts", f"write [{texts!r}]", value=repr(texts))
    return list(texts)


def _text(key: str, value: Value) -> str:
    """Return a value as a profile states it."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, (str, int, float)):
        raise refused(key, "expected a text or a number", "write it as in a profile: '25 Gbit/s'", value=repr(value))
    try:
        return str(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        raise refused(key, "has thousands of digits", "shorten it") from None
