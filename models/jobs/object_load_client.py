"""What the clients of a load spend on requests and their bytes, on the routes of an object store.

A client signs a request, sends it and parses the answer. On the bytes it works as they come from the store, or before
they leave for it, turn by turn: what it has not yet taken waits in the buffers of the connection, which is what holds
the store up where the client is the slower of the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from models.jobs.object_load_connections import Pool
from models.requests import Fan, Pipeline, Repeat, Route, Section, Step, Visit
from models.storage.stages import SOCKETS
from models.values import value


@value()
class ClientWork:
    """The visits to its processors that a client makes `once` a request, and for `bytes` that it sends or takes in.

    Those of `prepared` are for the bytes of an upload, all of them before the first leaves. A request that has been
    signed takes a connection of the `pool`; None: one is always open.
    """

    once: Route = ()
    bytes: Route = ()
    prepared: Route = ()
    pool: Pool | None = None

    def asks(self, route: Route, size: float = 0.0) -> Route:
        """Return a route with the client's part of it, which moves so many bytes, none by default."""
        return (*self.once, *(route if self.pool is None else self.pool.over(route, size)))

    def takes(self, route: Route, size: float = 0.0) -> Route:
        """Return a route on which so many bytes (B) come to the client."""
        return self.asks(_worked(route, self.bytes, is_sent=False) if self.bytes else route, size)

    def sends(self, route: Route, size: float = 0.0) -> Route:
        """Return a route on which so many bytes (B) leave the client."""
        sent = _worked(route, self.bytes, is_sent=True) if self.bytes else route
        return (*self.prepared, *self.asks(sent, size))


def _worked(route: Route, work: Route, *, is_sent: bool) -> Route:
    """Return a route with the client's work on bytes beside the first, or the last, step that moves them in turns.

    What a request holds while no bytes pass, it does not hold for that work.
    """
    places: Iterable[int] = range(len(route)) if is_sent else reversed(range(len(route)))
    step: Step
    for place in places:
        match route[place]:
            case Visit(inside=inside) as held if any(map(_carries, inside)):
                step = replace(held, inside=_worked(inside, work, is_sent=is_sent))
            case Repeat(turn, chunk):
                step = _beside((Section(turn),), chunk, work, is_sent=is_sent)
            case Pipeline(sections, chunk) as whole:
                edge = 0 if is_sent else len(sections) - 1
                if any(isinstance(inside, Pipeline) for inside in sections[edge].route):  # in finer turns
                    own = replace(sections[edge], route=_worked(sections[edge].route, work, is_sent=is_sent))
                    step = replace(whole, sections=(*sections[:edge], own, *sections[edge + 1 :]))
                else:
                    step = _beside(sections, chunk, work, is_sent=is_sent)
            case _:
                continue
        return (*route[:place], step, *route[place + 1 :])
    return (*work, *route) if is_sent else (*route, *work)


def _carries(step: Step) -> bool:
    """Tell whether bytes pass a step."""
    match step:
        case Repeat() | Pipeline():
            return True
        case Visit(per_byte=cost, inside=inside):
            return cost > 0 or any(map(_carries, inside))
        case Fan(route):
            return any(map(_carries, route))
    return False


def _beside(sections: tuple[Section, ...], chunk: float, work: Route, *, is_sent: bool) -> Pipeline:
    """Return a pipeline that the client's work begins or ends, a connection's buffers away from the rest."""
    ahead = 1 + max(int(SOCKETS / chunk), 1)
    if is_sent:
        return Pipeline((Section(work, ahead=ahead), *sections), chunk)
    return Pipeline((*sections[:-1], replace(sections[-1], ahead=ahead), Section(work)), chunk)
