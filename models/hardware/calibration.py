"""From measured rates to the drives, the controller and the network card of a server: the inverse of their models.

Hard drive: a lone stream runs at s, several share c / (c/s + t), a random read of b bytes takes t + h + b/s with half a
turn h at 7200 turns a minute. So lone runs give s, random reads one at a time give t (without them it is assumed), and
shared runs give c. A solid drive does not
seek: its rate is the best that one drive has shown. Of q small random reads under way it does min(q / latency, IOPS) a
second: those one at a time give the latency, and those of which it does far fewer than latencies allow, the IOPS.
All drives together below their number times one drive: that is
the controller's ceiling. Several connections give the rate of a network card, one gives what a connection carries.
Repeated rates are joined by least squares of their logarithms, repeated seeks by least squares of relative errors.
Not covered: random writes (caches decide them), reads and writes at the same time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from models.hardware.drive import chunk_from_rates, interleaved_rate
from models.hardware.drive_classes import RPM
from models.hardware.measurement import Direction, DriveRun, NetworkRun, Run
from models.problem import Problem, ProblemError
from models.units import format

Technology = Literal["hdd", "ssd", "nvme"]
DIRECTIONS: tuple[Direction, ...] = ("read", "write")

SCATTER = 0.05  # Assumption: repeated runs, and drives of one kind, differ by up to 5 %.
ZONES = 2.5  # Assumption: runs alike on one drive are no further apart; outer tracks have twice the rate of inner ones.
SEEK_TIME = 8.5e-3  # Assumption: seconds, the seek time of 7200 rpm data sheets.
SEEK_TIMES = (7e-3, 12.7e-3)  # Assumption: seconds; 90 % of 7200 rpm drives lie between.
HALF_TURN = 30 / RPM  # s
SOLID_IOPS = 2000.0  # Assumption: random reads a second that no platter reaches, however deep its queue.
SMALL = 16384.0  # Assumption: bytes of a random read up to which a solid drive is as fast as for the smallest.
SATURATED = 0.5  # Assumption: of the reads that latencies allow so many end where the drive itself is the limit.
FASTEST_HDD = 3e8  # Assumption: B/s; data sheets of 7200 rpm drives with one actuator state up to 285 MB/s.
FASTEST_SATA = 6e8  # B/s. Source: SATA 3.0, 6 Gbit/s in 8b/10b code.

_EXAMPLES = {
    "read": "dd if=/mnt/drive/test of=/dev/null bs=16M count=64 iflag=direct",
    "write": "dd if=/dev/zero of=/mnt/drive/test bs=16M count=64 oflag=direct",
}
_UNDECIDED = Problem(
    "",
    None,
    "technology",
    "the runs do not tell hard from solid-state drives: add one of several streams on a drive, or state it: "
    "--technology hdd|ssd|nvme",
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number in the unit of its field, and the runs that it rests on; without runs it is the assumption `reason`.

    `between` is what 90 % of such numbers lie between, where the number is assumed.
    """

    value: float
    runs: tuple[Run, ...]
    reason: str = ""
    between: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """The technology of the drives, and what tells it; `runs` is empty where it was stated."""

    technology: Technology
    runs: tuple[Run, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What the runs say, by the fields of `Drive`, `Controller` and `Nic`; `kind` is None without runs of drives."""

    kind: Kind | None
    drive: dict[str, Estimate]
    controller: dict[str, Estimate]
    nic: dict[str, Estimate]
    notes: tuple[Problem, ...]

    def predict(self, run: Run) -> float | None:
        """Return the rate (B/s) that the fitted models give for a run, None where they do not cover it."""
        if isinstance(run, NetworkRun):
            flow = self.nic["flow_bandwidth"].value if "flow_bandwidth" in self.nic else math.inf
            return min(self.nic["bandwidth"].value, run.connections * flow)
        rate = self._drive_rate(run)
        ceiling = self.controller.get(f"{run.direction}_bandwidth")
        if rate is None or ceiling is None or run.drives == 1:
            return rate and rate * run.drives
        return min(rate * run.drives, ceiling.value)

    def _drive_rate(self, run: DriveRun) -> float | None:
        bandwidth = self.drive[f"{run.direction}_bandwidth"].value
        seek = self.drive.get("seek_time")
        chunk = self.drive.get(f"{run.direction}_chunk")
        if run.random and "read_latency" in self.drive and _tells_flash(run):
            iops = self.drive["read_iops"].value if "read_iops" in self.drive else math.inf
            request = run.request or 1.0
            return min(run.in_flight / self.drive["read_latency"].value, iops, bandwidth / request) * request
        if run.random and not (seek and _tells_seek(run)):
            return None
        segment = run.request if run.random else None if run.is_lone else chunk and chunk.value
        turn = HALF_TURN if run.random else 0.0
        return interleaved_rate(bandwidth, seek.value + turn, segment) if seek and segment else bandwidth


def fit(runs: Sequence[Run], technology: Technology | None = None, seek_time: float | None = None) -> Fit:
    """Return the models that explain the runs; a stated technology or seek time (s) goes before a fitted one.

    Raises:
        ProblemError: the runs do not decide a number that a drive needs; with all such numbers.
    """
    nic, notes = _network([run for run in runs if isinstance(run, NetworkRun)])
    of_drives = [run for run in runs if isinstance(run, DriveRun)]
    if not of_drives:
        return Fit(kind=None, drive={}, controller={}, nic=nic, notes=tuple(notes))
    kind = Kind(technology, (), "stated") if technology else _kind(of_drives)
    is_solid = kind is not None and kind.technology != "hdd"
    sides = [_Side(direction, of_drives, is_solid) for direction in DIRECTIONS]
    drive = {f"{side.direction}_bandwidth": side.bandwidth for side in sides if side.bandwidth}
    missing = [_missing(side.direction) for side in sides if not side.bandwidth]
    if kind is None or missing:
        raise ProblemError(missing if kind else [_UNDECIDED, *missing])
    if kind.technology == "hdd":
        drive["seek_time"] = _seek_time(of_drives, drive["read_bandwidth"].value, seek_time)
        chunks = {f"{side.direction}_chunk": side.chunk(drive["seek_time"].value) for side in sides}
        drive |= {key: chunk for key, chunk in chunks.items() if chunk}
    else:
        drive |= _flash(of_drives)
    controller = {f"{side.direction}_bandwidth": side.ceiling for side in sides if side.ceiling}
    notes += [note for side in sides for note in side.notes()]
    notes += [note for run in of_drives if (note := _aside(run, kind.technology, drive))]
    notes += _unlike(of_drives)
    return Fit(kind=kind, drive=drive, controller=controller, nic=nic, notes=tuple(notes))


class _Side:
    """What the sequential runs of one direction say of drives and controller."""

    def __init__(self, direction: Direction, runs: Sequence[DriveRun], solid: bool) -> None:
        mine = [run for run in runs if run.direction == direction and not run.random]
        self.direction = direction
        self._solid = solid
        self._one = [run for run in mine if run.drives == 1]
        self._many = [run for run in mine if run.drives > 1]
        self.ceiling = self._ceiling()
        bound = math.inf if self.ceiling is None else (1 - SCATTER) * self.ceiling.value
        free = [*self._one, *(run for run in self._many if run.rate < bound)]
        best = max(free, key=lambda run: run.rate_per_drive, default=None)
        lone = _mean([run for run in free if run.is_lone])
        self.bandwidth = Estimate(best.rate_per_drive, (best,)) if solid and best else lone
        self.shared = None if solid else _mean([run for run in free if not run.is_lone])

    def chunk(self, seek_time: float) -> Estimate | None:
        """Return the chunk (B) of a hard drive: infinite where no seeks show, None where nothing tells it."""
        if self.bandwidth is None or self.shared is None:
            return None
        if self.shared.value >= self.bandwidth.value:
            return Estimate(math.inf, self.shared.runs)
        chunk = chunk_from_rates(self.bandwidth.value, self.shared.value, seek_time)
        return Estimate(chunk, self.shared.runs, "at this seek_time")

    def notes(self) -> Iterator[Problem]:
        """Yield what a user should know about the numbers of this direction."""
        if self._many:
            yield self._note(f"controller.{self.direction}_bandwidth", self._on_controller())
        chunk = f"{self.direction}_chunk"
        if not self._solid and self.shared is None:
            yield self._note(chunk, f"not fitted: no {self.direction} run of several streams on a drive")
        if self.bandwidth and self.shared and self.shared.value >= self.bandwidth.value:
            yield self._note(chunk, "none: several streams are as fast as one, so no seeks show")
        slow = [run for run in self._one if run.is_lone and self._solid and self.bandwidth]
        if self.bandwidth and slow and slow[0].rate < (1 - SCATTER) * self.bandwidth.value:
            message = f"a lone stream gets {format(slow[0].rate, 'B/s')} of it, since it waits for each request"
            yield self._note(f"{self.direction}_bandwidth", f"{message}; the model gives it the whole drive")

    def _share(self, run: DriveRun) -> float | None:
        """Return what part of its number of drives times one drive a run has reached; None without a comparison."""
        like = [one for one in self._one if one.is_lone == run.is_lone] or (self._one if self._solid else [])
        return run.rate_per_drive / min(one.rate for one in like) if like else None

    def _ceiling(self) -> Estimate | None:
        top = max(self._many, key=lambda run: run.rate, default=None)
        share = self._share(top) if top else None
        return Estimate(top.rate, (top,)) if top and share is not None and share < 1 - SCATTER else None

    def _on_controller(self) -> str:
        top = max(self._many, key=lambda run: self._share(run) or 0.0)
        share = self._share(top)
        if share is None:
            return (
                "not fitted: no run of one drive compares, so what is lost by all together is read as the drives' own"
            )
        told = f"{top.drives} drives together give {100 * share:.0f} % of {top.drives} times one"
        return f"{told}: taken as the ceiling" if self.ceiling else f"none: {told}"

    @staticmethod
    def _note(key: str, message: str) -> Problem:
        return Problem("", None, key, message)


def _mean(runs: Sequence[DriveRun]) -> Estimate | None:
    """Return the rate of a drive (B/s) with the least squares of log(run / rate): the geometric mean."""
    if not runs:
        return None
    return Estimate(math.exp(sum(math.log(run.rate_per_drive) for run in runs) / len(runs)), tuple(runs))


def _kind(runs: Sequence[DriveRun]) -> Kind | None:
    """Return the technology that the runs tell, None where they tell none."""
    fastest = max(runs, key=lambda run: 0.0 if run.random else run.rate_per_drive)
    if not fastest.random and fastest.rate_per_drive > FASTEST_HDD:
        name: Technology = "nvme" if fastest.rate_per_drive > FASTEST_SATA else "ssd"
        limit = "the SATA link" if name == "nvme" else "hard drives"
        return Kind(name, (fastest,), f"faster than {limit}")
    for run in runs:
        if run.random and run.direction == "read" and run.request:
            reads = run.rate_per_drive / run.request
            if reads > SOLID_IOPS or run.in_flight <= 1:
                return Kind("ssd" if reads > SOLID_IOPS else "hdd", (run,), f"{reads:.0f} random reads a second")
    for direction in DIRECTIONS:
        mine = [run for run in runs if run.direction == direction and not run.random]
        lone, shared = _mean([run for run in mine if run.is_lone]), _mean([run for run in mine if not run.is_lone])
        if lone and shared:
            ratio = shared.value / lone.value
            told = f"several {direction} streams on a drive get {100 * ratio:.0f} % of a lone one"
            return Kind("hdd" if ratio < 1 - SCATTER else "ssd", (*lone.runs, *shared.runs), told)
    return None


def _missing(direction: Direction) -> Problem:
    message = f"no {direction} run shows it: add one of a lone sequential stream, such as: {_EXAMPLES[direction]}"
    return Problem("", None, f"{direction}_bandwidth", message)


def _tells_seek(run: DriveRun) -> bool:
    """Tell whether a run gives the seek time: random reads, one at a time."""
    return run.random and run.direction == "read" and run.request is not None and run.in_flight <= 1


def _tells_flash(run: DriveRun) -> bool:
    """Tell whether a run gives latency or IOPS of a solid drive: small random reads, one or more in flight."""
    return run.random and run.direction == "read" and run.request is not None and run.request <= SMALL


def _flash(runs: Sequence[DriveRun]) -> dict[str, Estimate]:
    """Return latency (s) and IOPS of a solid drive, as far as small random reads tell them.

    The latency is the geometric mean of those one at a time, the IOPS are the most that it has shown where it, and not
    the number of reads under way, was the limit.
    """
    reads = [run for run in runs if _tells_flash(run)]
    alone = [run for run in reads if run.in_flight <= 1]
    if not alone:
        return {}
    times = [(run.request or 0.0) * run.in_flight / run.rate_per_drive for run in alone]
    latency = math.exp(sum(math.log(time) for time in times) / len(times))
    estimates = {"read_latency": Estimate(latency, tuple(alone))}
    done = [(run.rate_per_drive / (run.request or 1.0), run) for run in reads]
    most = [point for point in done if point[0] <= SATURATED * point[1].in_flight / latency]
    if most:
        best = max(most, key=lambda point: point[0])
        estimates["read_iops"] = Estimate(best[0], (best[1],))
    return estimates


def _seek_time(runs: Sequence[DriveRun], bandwidth: float, stated: float | None) -> Estimate:
    """Return t (s) with the least squares of (t + h + b/s - T) / T over reads of b bytes that take T each."""
    if stated is not None:
        return Estimate(stated, (), "stated; read_chunk and write_chunk follow from it")
    reads = [run for run in runs if _tells_seek(run)]
    sizes = [run.request or 0.0 for run in reads]
    times = [size / run.rate_per_drive for size, run in zip(sizes, reads, strict=True)]
    weights = [time**-2 for time in times]
    excess = [time - HALF_TURN - size / bandwidth for size, time in zip(sizes, times, strict=True)]
    seek = sum(w * t for w, t in zip(weights, excess, strict=True)) / sum(weights) if reads else 0.0
    if seek > 0:
        return Estimate(seek, tuple(reads))
    reason = "the seek time of 7200 rpm data sheets; read_chunk and write_chunk follow from it"
    return Estimate(SEEK_TIME, (), f"{format(SEEK_TIME, 's')}, {reason}", SEEK_TIMES)


def _aside(run: DriveRun, technology: Technology, drive: Mapping[str, Estimate]) -> Problem | None:
    """Return why a random run is not fitted, None for any other run."""
    is_used = _tells_seek(run) if technology == "hdd" else "read_latency" in drive and _tells_flash(run)
    if not run.random or is_used:
        return None
    reason = "the drive sorts the requests that wait, so no seek time follows from it"
    if run.direction == "write":
        reason = "caches take random writes in, and no model says how fast"
    elif technology != "hdd":
        reason = f"latency and IOPS want reads of {SMALL / 1024:.0f} KiB at most, one at a time and many"
    return Problem(run.file, run.line, "", f"{run}: not fitted: {reason}")


def _unlike(runs: Sequence[DriveRun]) -> Iterator[Problem]:
    """Yield which runs of drives are alike in all but their rates, which are further apart than those of one drive."""
    alike: dict[str, list[DriveRun]] = {}
    for run in runs:
        alike.setdefault(f"{run}", []).append(run)
    for what, several in alike.items():
        slow, fast = (choose(several, key=lambda run: run.rate) for choose in (min, max))
        if fast.rate > ZONES * slow.rate:
            rates = f"{format(slow.rate, 'B/s')} here, {format(fast.rate, 'B/s')} elsewhere"
            way_out = "are these other drives? Import the files of each kind by themselves"
            yield Problem(slow.file, slow.line, "", f"{what}: {rates}; {way_out}")


def _network(runs: Sequence[NetworkRun]) -> tuple[dict[str, Estimate], list[Problem]]:
    """Return the numbers of the network card, and what to know about them."""
    if not runs:
        return {}, []
    top = max(runs, key=lambda run: run.rate)
    nic = {"bandwidth": Estimate(top.rate, (top,))}
    lone = max((run for run in runs if run.connections == 1), key=lambda run: run.rate, default=None)
    if all(run.connections == 1 for run in runs):
        message = "from one connection, which may not fill the card; iperf3 -P 10 would show it"
        return nic, [Problem("", None, "nic.bandwidth", message)]
    if lone and lone.rate < (1 - SCATTER) * top.rate:
        return nic | {"flow_bandwidth": Estimate(lone.rate, (lone,))}, []
    message = "not fitted: one connection fills the card" if lone else "not fitted: no run of one connection"
    return nic, [Problem("", None, "nic.flow_bandwidth", message)]
