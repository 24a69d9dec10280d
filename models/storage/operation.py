"""An operation of a storage system (GET, PUT, ...), described once: the stages that a request passes, and their costs.

A stage (`models.storage.stages`) says what it takes of whom: a processor's time, a slot of a service, a drive's time, a
connection between two servers; so much once, and so much for each byte. Whom is a role ("gateway", "node", "source").
From the stages follow

- `Operation.flow`: the fluid step of a job, on the servers and drives of a `Site` that play the roles;
- `Operation.variants`: the routes of a load of requests, over the stations of a `Field` in which they are drawn by
  chance (`models.storage.operation_routes`).

Both take the same bytes and the same time of every resource, and both are as slow as the slowest section of a stream. A
route moves bytes turn by turn, so that the first and the last turn of a request find stages idle; a flow does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from models.distributions import EVEN, Spread
from models.hardware.cluster import Layout
from models.storage.flow import Flow, added
from models.storage.fluid import Fluid, seconds_of
from models.storage.site import Site
from models.storage.stages import Stage, Wait
from models.values import value
from models.work import Delay

if TYPE_CHECKING:
    from models.requests import Route
    from models.storage.object_routes import Variant
    from models.storage.operation_routes import Field


@value(slots=False)
class Operation:
    """The stages of a request of `size` bytes, in their order."""

    stages: tuple[Stage, ...]
    size: float = 0.0

    @cached_property
    def _fluids(self) -> dict[tuple[Layout, bool], Fluid]:
        return {}

    def fluid(self, layout: Layout, *, is_missing: bool) -> Fluid:
        """Return what the stages take on a layout, worked out once."""
        key = layout, is_missing
        if key not in self._fluids:
            self._fluids[key] = Fluid(self.stages, self.size, layout, is_missing=is_missing)
        return self._fluids[key]

    def _fluid(self, site: Site) -> Fluid:
        return self.fluid(site.layout, is_missing=site.missing > 0)

    def flow(self, site: Site, cap: str = "one request") -> Flow:
        """Return the flow of the request's bytes; what it takes once comes before the first of them."""
        stream, fluid = self.stream(site, cap), self._fluid(site)
        if site.layout.spreads_once and 0 < self.size < math.inf:
            uses, seconds, pools = fluid.over_bytes(site)
            if seconds * stream.max_rate <= self.size:
                rate, limit, spread = stream.max_rate, stream.cap, self._spread
                whole, slower = added(stream.uses, uses, rate) if uses else (stream.uses, 0.0)
                return Flow(whole, rate, limit, seconds - self.size * slower, held=tuple(pools), spread=spread)
        once, pools = fluid.once(site)
        latency = sum(step.seconds for step in once if isinstance(step, Delay))
        opening = tuple(step for step in once if not isinstance(step, Delay))
        return replace(stream, latency=latency, opening=opening, held=tuple(pools), spread=self._spread)

    @cached_property
    def _spread(self) -> Spread:
        """How the longest of its waits lies around its mean."""
        longest = max((stage for stage in self.stages if isinstance(stage, Wait)), key=_seconds, default=None)
        return EVEN if longest is None else longest.spread

    def stream(self, site: Site, cap: str = "one request") -> Flow:
        """Return the flow of bytes alone, as of a file that is open."""
        uses, caps = self._fluid(site).per_byte(site)
        rate, limit = min(caps, default=(math.inf, cap))
        return Flow(tuple(uses), rate, limit)

    def alone(self, site: Site) -> float:
        """Return the seconds that a request without bytes takes when nobody is in its way."""
        return sum(seconds_of(step) for step in self._fluid(site).once(site)[0])

    def variants(self, field: Field) -> tuple[Variant, ...]:
        """Return the routes of the request: one for each way that it may take, with its chance."""
        from models.storage.operation_routes import variants  # imported late: only loads of requests need it

        return variants(self.stages, self.size, field)

    def visits(self, field: Field) -> Route:
        """Return the route of a request that has only one way."""
        (variant,) = self.variants(field)
        return variant.route


def _seconds(wait: Wait) -> float:
    return wait.seconds


class OperationCache:
    """Operations, described once for all requests that are alike, so that what their stages take is kept in mind."""

    def __init__(self) -> None:
        self._described: dict[Hashable, Operation] = {}

    def of(self, describe: Callable[..., Operation], *asked: Hashable) -> Operation:
        """Return the operation that a method of a description answers when it is asked so."""
        key = describe, asked
        if key not in self._described:
            self._described[key] = describe(*asked)
        return self._described[key]
