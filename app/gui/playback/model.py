"""A run as a picture of its cluster: where each resource lies in racks and servers, and its colour at a time. No Qt.

A `Scene` is laid out in units: a server is a tile with its processor on the left, its drives in a grid, and its links
and ceilings as bars below; a rack is a block of servers with its uplinks as bars on top. `Raster` turns it into
pixels once for a size; after that a frame is one look-up in an array, for a thousand servers as for ten.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.gui.jobs.series import LEVELS, Series
from app.gui.jobs.steps import Steps
from app.gui.playback.places import FEWER, Place, Rack, names_of, racks_of
from app.gui.playback.users import Users
from models.hardware.cluster import Cluster
from simulator.result import FaultResult, Result, StageResult, TaskResult

NOTICEABLE = 0.001  # utilization that is worth a word. Assumption: what is below rounds to nothing
GAP = 1.0  # between servers; racks are three gaps apart
HEAD = 3.5  # room above a rack for its name and uplinks
EDGE = 0.25  # of a server around its resources
SEAM = 0.15  # between two resources
BASE, RACK, SERVER = range(LEVELS, LEVELS + 3)
"""What is drawn where no resource is, numbered after the shades."""
Area: TypeAlias = tuple[float, float, float, float]
Look: TypeAlias = tuple[int, int, int]  # how many processors, drives and links a server has
NOWHERE: Area = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Box:
    """Something with a name and a place (x, y, width, height) in units."""

    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Scene:
    """Where everything lies. `areas` has x, y, width and height of each resource, in the order of `names`."""

    width: float
    height: float
    racks: tuple[Box, ...]
    servers: tuple[Box, ...]
    names: Sequence[str]
    areas: NDArray[np.float64]

    def cell(self, number: int) -> Box:
        """Return the box of a resource."""
        return Box(self.names[number], *map(float, self.areas[number]))

    def find(self, component: str) -> Box | None:
        """Return the box of a rack, a server or a resource."""
        box = next((box for box in (*self.racks, *self.servers) if box.name == component), None)
        return self.cell(self.names.index(component)) if box is None and component in self.names else box


class Playback:
    """One run over time; `bins` are the pictures that differ, 0 for a run whose series were not kept."""

    def __init__(self, result: Result, series: Series, racks: list[Rack], names: list[str]) -> None:
        self.resources, self.racks, self.names = series.resources, racks, names
        self.duration = result.duration
        self.bin_width = result.bin_width
        self.stages: tuple[StageResult, ...] = result.stages
        self.tasks: tuple[TaskResult, ...] = result.tasks
        self.faults: tuple[FaultResult, ...] = result.failures.faults if result.failures else ()
        self.bins = series.levels.shape[1]
        self._levels = series.levels
        self._groups, self._means, group_of = _means(series)
        self.users = Users(result, self._groups, self._means, group_of)

    @classmethod
    def made(cls, result: Result, cluster: Cluster, series: Series | None = None) -> Steps[Playback]:
        """Return the playback of a run, in pieces."""
        whole = series or Series.of(result.resources)
        racks = yield from racks_of(whole.resources, cluster)
        names = yield from names_of(whole.resources, racks)
        return cls(result, whole, racks, names)

    def bin_at(self, time: float) -> int:
        """Return the bin in which a time (s) falls; the last for all that come after."""
        return min(max(int(time / self.bin_width), 0), self.bins - 1) if self.bin_width > 0 else 0

    def levels(self, time: float, workload: str = "") -> NDArray[np.intp]:
        """Return the shade of each resource at a time (s), 0 to `LEVELS` - 1, of shape (resources,).

        Of one workload it is that of what this one uses.
        """
        levels = self._levels[:, self.bin_at(time)].astype(np.intp)
        if workload:
            levels = np.rint(levels * self.users.parts(workload, self.bin_at(time))).astype(np.intp)
        return levels if time <= self.duration else np.zeros_like(levels)

    def utilization(self, resource: int, time: float) -> float:
        """Return how busy a resource is at a time (s), 0 to 1; idle after the end of the run."""
        if time > self.duration:
            return 0.0
        return float(self._levels[resource, self.bin_at(time)]) / (LEVELS - 1)

    def mean_of(self, resources: Sequence[int]) -> NDArray[np.float64]:
        """Return the mean utilization of some resources in each bin, 0 to 1."""
        return np.asarray(self._levels[list(resources)].mean(axis=0) / (LEVELS - 1))

    def means_over_time(self) -> NDArray[np.float64]:
        """Return the mean utilization of each resource over the run, 0 to 1."""
        return np.asarray(self._levels.mean(axis=1) / (LEVELS - 1))

    def busiest(self, time: float, count: int = 4) -> list[tuple[str, float]]:
        """Return the groups that are busiest at a time (s), with their mean utilization, 0 to 1."""
        means = self._means[:, self.bin_at(time)]
        order = np.argsort(-means, kind="stable")[:count]
        return [(self._groups[i], float(means[i])) for i in order if means[i] >= NOTICEABLE]

    def using(self, group: str, time: float) -> list[tuple[str, float]]:
        """Return the part of a group that each of many workloads uses at a time (s), the one that uses most first."""
        return self.users.of(group, self.bin_at(time)) if time <= self.duration else []

    def stage_at(self, time: float) -> str:
        """Return the names of the stages, or of the workloads among many, that go on at a time (s)."""
        if self.users.names:
            return ", ".join(self.users.running(time))
        return ", ".join(stage.name for stage in self.stages if stage.start <= time < stage.end)

    def failed(self, time: float) -> list[FaultResult]:
        """Return what has failed by a time (s) and is not yet healthy again."""
        return [fault for fault in self.faults if fault.at <= time < fault.healthy_at]


def _means(series: Series) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.intp]]:
    """Return the groups of resources, their mean utilization, of shape (groups, bins), and the group of each of all."""
    rows: dict[str, list[int]] = {}
    for i, resource in enumerate(series.resources):
        rows.setdefault(resource.group, []).append(i)
    means = [series.levels[row].mean(axis=0) / (LEVELS - 1) for row in rows.values()]
    group_of = np.zeros(len(series.resources), np.intp)
    for number, row in enumerate(rows.values()):
        group_of[row] = number
    return tuple(rows), np.array(means).reshape(len(rows), series.levels.shape[1]), group_of


def ticks_of(runs: Sequence[Playback]) -> tuple[float, float]:
    """Return how long the longest of some runs takes and the finest width of their bins, both in seconds."""
    length = max((run.duration for run in runs), default=0.0)
    widths = [run.bin_width for run in runs if run.bins > 1]
    return length, min(widths, default=length)


def scene(racks: Sequence[Rack], names: Sequence[str], aspect: float) -> Steps[Scene]:
    """Lay racks out for a room of `aspect` (width over height), as large as they can be drawn in it, in pieces.

    `names` are those of all resources, in the order of their numbers.
    """
    sizes = list({_tile(place) for rack in racks for place in rack.places})
    yield
    tile = (max((w for w, _ in sizes), default=1.0), max((h for _, h in sizes), default=1.0))
    most = max((len(rack.places) for rack in racks), default=1)
    choices = [(c, r) for c in range(1, most + 1) for r in range(1, len(racks) + 1)]
    columns, across = max(choices, key=lambda choice: _scale(choice, len(racks), most, tile, aspect))
    yield
    return (yield from _laid_out(racks, names, tile, (columns, across)))


def _extent(columns: int, most: int, tile: tuple[float, float]) -> tuple[float, float]:
    """Return the size of a rack whose servers stand in so many columns."""
    return columns * (tile[0] + GAP) + GAP, HEAD + math.ceil(most / columns) * (tile[1] + GAP) + GAP


def _scale(shape: tuple[int, int], racks: int, most: int, tile: tuple[float, float], aspect: float) -> float:
    """Return how large a unit is drawn, in a room of height 1, with servers and racks in so many columns."""
    width, height = _extent(shape[0], most, tile)
    across, down = shape[1], math.ceil(racks / shape[1])
    return min(aspect / (across * (width + 3 * GAP)), 1 / (down * (height + 3 * GAP)))


def _laid_out(
    racks: Sequence[Rack], names: Sequence[str], tile: tuple[float, float], shape: tuple[int, int]
) -> Steps[Scene]:
    columns, across = shape
    most = max((len(rack.places) for rack in racks), default=1)
    width, height = _extent(columns, most, tile)
    areas = np.zeros((len(names), len(NOWHERE)))
    looks: dict[Look, NDArray[np.float64]] = {}
    frames, servers = [], []
    for n, rack in enumerate(racks):
        x = n % across * (width + 3 * GAP) + GAP
        y = n // across * (height + 3 * GAP) + GAP
        frames.append(Box(rack.name, x, y, width, height))
        areas[rack.uplinks] = np.reshape(_bars(len(rack.uplinks), x + GAP, y + HEAD - 1, width - 2 * GAP), (-1, 4))
        for k, place in enumerate(rack.places):
            if k % FEWER == 0:
                yield
            left = x + GAP + k % columns * (tile[0] + GAP)
            top = y + HEAD + k // columns * (tile[1] + GAP)
            servers.append(Box(place.name, left, top, *tile))
            look = _look(place)
            if look not in looks:
                looks[look] = np.array(_cells(look, tile))
            areas[[*place.processors, *place.drives, *place.links]] = looks[look] + (left, top, 0.0, 0.0)
    down = math.ceil(len(racks) / across)
    return Scene(
        across * (width + 3 * GAP) - GAP, down * (height + 3 * GAP) - GAP, tuple(frames), tuple(servers), names, areas
    )


def _look(place: Place) -> Look:
    return len(place.processors), len(place.drives), len(place.links)


def _grid(drives: int) -> tuple[int, int]:
    """Return columns and rows of the drives of a server: about twice as wide as high."""
    columns = max(math.ceil(math.sqrt(2 * drives)), 1)
    return columns, max(math.ceil(drives / columns), 1)


def _tile(place: Place) -> tuple[float, float]:
    """Return the size of a server."""
    columns, rows = _grid(len(place.drives))
    return max(2 * len(place.processors) + columns, 3) + 2 * EDGE, rows + bool(place.links) + 2 * EDGE


def _cells(look: Look, tile: tuple[float, float]) -> list[Area]:
    """Return where the resources of a server lie in its tile: processors, drives, links."""
    processors, drives, links = look
    width, height = tile[0] - 2 * EDGE, tile[1] - 2 * EDGE - bool(links)
    aside = 2.0 * processors if drives else width
    cells = _bars(processors, EDGE, EDGE, aside, height)
    columns, rows = _grid(drives)
    across, down = (width - (aside if processors else 0)) / columns, height / rows
    left = EDGE + width - columns * across
    for k in range(drives):
        cells.append((left + k % columns * across, EDGE + k // columns * down, across - SEAM, down - SEAM))
    return cells + _bars(links, EDGE, EDGE + height, width)


def _bars(count: int, x: float, y: float, width: float, height: float = 1.0) -> list[Area]:
    """Return where resources lie that stand side by side."""
    step = width / max(count, 1)
    return [(x + k * step, y, step - SEAM, height - SEAM) for k in range(count)]


class Raster:
    """A scene in pixels: for each pixel either a resource or what lies behind it. `filled` makes one."""

    def __init__(self, scene: Scene, width: int, height: int) -> None:
        self.scale = min(width / scene.width, height / scene.height)
        self.left = (width - self.scale * scene.width) / 2
        self.top = (height - self.scale * scene.height) / 2
        self.scene = scene
        self._count = len(scene.names)
        self._map = np.full((height, width), self._count, dtype=np.intp)
        self._pixels = np.empty((height, width), dtype=np.uint32)

    @classmethod
    def filled(cls, scene: Scene, width: int, height: int) -> Steps[Raster]:
        """Return a scene in pixels, in pieces."""
        raster = cls(scene, width, height)
        yield from raster._fill(_areas(scene.racks), np.full(len(scene.racks), raster._count + 1))
        yield from raster._fill(_areas(scene.servers), np.full(len(scene.servers), raster._count + 2))
        yield from raster._fill(scene.areas, np.arange(raster._count))
        return raster

    def rectangle(self, box: Box) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of a box in pixels; at least one pixel wide and high."""
        left, top, right, bottom = self._rectangles(_areas([box]))[0].tolist()
        return left, top, right, bottom

    def resource_at(self, x: int, y: int) -> int | None:
        """Return the resource that is drawn at a pixel."""
        if not (0 <= y < self._map.shape[0] and 0 <= x < self._map.shape[1]):
            return None
        number = int(self._map[y, x])
        return number if number < self._count else None

    def pixels(self, levels: NDArray[np.intp], colours: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Return the picture, of shape (height, width), valid until the next one.

        `levels` has one shade a resource; `colours` has the shades, then those of `BASE`, `RACK` and `SERVER`.
        """
        shown = colours[np.concatenate((levels, (BASE, RACK, SERVER)))]
        np.take(shown, self._map, out=self._pixels, mode="clip")
        return self._pixels

    def _rectangles(self, areas: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return left, top, right and bottom of areas in pixels, of shape (areas, 4)."""
        start = np.rint((self.left, self.top) + areas[:, :2] * self.scale)
        end = np.rint((self.left, self.top) + (areas[:, :2] + areas[:, 2:]) * self.scale)
        return np.hstack((start, np.maximum(end, start + 1))).astype(np.intp)

    def _fill(self, areas: NDArray[np.float64], numbers: NDArray[np.intp]) -> Steps[None]:
        """Fill areas that have a size with their numbers, those alike at once: there may be a hundred thousand."""
        has_size = areas[:, 2] > 0
        rectangles, numbers = self._rectangles(areas[has_size]), numbers[has_size]
        widths, heights = (rectangles[:, 2:] - rectangles[:, :2]).T
        sizes = widths * len(self._map) + heights
        for at in np.unique(sizes, return_index=True)[1]:
            yield
            alike, width, height = sizes == sizes[at], widths[at], heights[at]
            left, top = rectangles[alike, 0, None, None], rectangles[alike, 1, None, None]
            rows = np.minimum(top + np.arange(height)[:, None], self._map.shape[0] - 1)
            columns = np.minimum(left + np.arange(width), self._map.shape[1] - 1)
            self._map[rows, columns] = numbers[alike, None, None]


def _areas(boxes: Sequence[Box]) -> NDArray[np.float64]:
    return np.array([(box.x, box.y, box.width, box.height) for box in boxes], dtype=float).reshape(-1, len(NOWHERE))
