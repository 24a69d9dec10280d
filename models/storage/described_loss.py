"""What is left of a described storage system for a load of requests once servers or drives are lost."""

from __future__ import annotations

from collections.abc import Callable

from models.hardware.cluster import Cluster, Layout
from models.hardware.parts import Down
from models.problem import refusal
from models.storage.contract import StorageModel
from models.storage.described import Describe
from models.storage.described_chances import Lost
from models.storage.described_routes import routes_of
from models.storage.domains import Arrays, Placement, Scattered
from models.storage.object_routes import Ends, Part
from models.values import value


@value()
class DescribedLoss:
    """What is lost of a system whose pieces lie on servers that differ."""

    describe: Describe
    spec: StorageModel
    down: Down

    def parts(self, layout: Layout, ends: Ends, *, is_replaced: bool) -> tuple[Part, ...]:
        """Return the routes that are left: one part, as all objects are alike.

        Where pieces are rebuilt into free space, nothing waits for a replacement.
        """
        what = self.describe(self.spec, layout)
        is_filled = is_replaced and not what.rebuilds_into_free_space
        lost = Lost(self.down.whole, len(self.down.drives), is_replaced=is_filled)
        return ((1.0, routes_of(what, layout, ends, lost)),)

    def wait(self, layout: Layout) -> float | None:
        """Return the seconds from the failure to its rebuild; None where that waits for the replacement.

        So do pieces for which no server is left that has none of the others.
        """
        what, placement = self.describe(self.spec, layout), self.spec.placement(layout.cluster)
        is_apart = isinstance(placement, Scattered) and placement.on_server == 1
        takes = len(self.down.servers) - self.down.whole
        waits = not what.rebuilds_into_free_space or (is_apart and takes < what.pieces[0])
        return None if waits else what.rebuild_delay


def described_loss(describe: Describe) -> Callable[..., DescribedLoss]:
    """Return what answers, for a system, what is lost of it with some components."""

    def loss(spec: StorageModel, cluster: Cluster, down: Down, *, writes: bool) -> DescribedLoss:
        _check(spec.placement(cluster), down, writes=writes)
        return DescribedLoss(describe, spec, down)

    return loss


def _check(placement: Placement | None, down: Down, *, writes: bool) -> None:
    """Refuse losses with which objects are lost, or cannot be written.

    Raises:
        RefusalError: they are such.
    """
    what = "storage nodes"
    match placement:
        case Arrays():
            if down.drives:
                raise refusal(
                    "failures.faults", "a node's array rebuilds its drives by itself", "name a server of the store"
                )
            lost, spare, writing = down.whole, placement.spare, placement.writing
        case Scattered(redundancy) if placement.on_server > 1:
            lost = down.whole * placement.on_server + len(down.drives) * placement.on_drive
            spare, writing = redundancy.pieces - redundancy.data, redundancy.pieces - placement.least
            what = "pieces of an object"
        case Scattered(redundancy):
            lost = down.whole + len({server for server, _ in down.drives})
            spare = redundancy.pieces - redundancy.data
            writing = len(down.servers) - placement.least if placement.chooses else redundancy.pieces - placement.least
        case _:
            raise refusal("failures.faults", "they take nothing that the system rebuilds beside a load", "remove them")
    if lost > spare:
        raise refusal("failures.faults", f"they take {lost} {what}, and objects are lost beyond {spare}")
    if writes and lost > writing:
        raise refusal(
            "failures.faults",
            f"they take {lost} {what}, and requests to write fail beyond {writing}",
            "state fewer faults",
        )
