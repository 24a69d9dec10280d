"""What is left of a MinIO for a load of requests once drives are lost: its sets, by how many drives they miss."""

from __future__ import annotations

from models.hardware.cluster import Cluster, Layout
from models.hardware.parts import Down
from models.problem import refusal
from models.storage.minio.down import alike_sets
from models.storage.minio.routes import minio_routes
from models.storage.minio.system import Minio
from models.storage.object_routes import Ends, Part
from models.values import value


@value()
class MinioLoss:
    """What is lost of a MinIO."""

    spec: Minio
    down: Down

    def parts(self, layout: Layout, ends: Ends, *, is_replaced: bool) -> tuple[Part, ...]:
        """Return the routes to sets that miss as many drives, with the share of the requests that go to them."""
        alike = alike_sets(self.spec, layout.cluster, self.down, is_replaced=is_replaced)
        total = sum(sets.sets for sets in alike)
        return tuple((sets.sets / total, minio_routes(self.spec, layout, ends, sets)) for sets in alike)

    def wait(self, layout: Layout) -> None:
        """Return None: a rebuild waits for the replacement."""


def loss(spec: Minio, cluster: Cluster, down: Down, *, writes: bool) -> MinioLoss:
    """Return what is lost of a MinIO with some components.

    Raises:
        RefusalError: a set has lost data, or is left without the drives that a write needs.
    """
    alike = alike_sets(spec, cluster, down, is_replaced=False)
    offline = max(sets.missing for sets in alike) + spec.failed_drives
    for code in spec.codes(cluster):
        if writes and not code.takes_writes(offline):
            left, needed = code.drives - offline, code.at_write(offline).write_quorum
            raise refusal(
                "failures.faults",
                f"a set is left with {left} of its {code.drives} drives, and a write needs {needed}",
                "state fewer faults",
            )
    return MinioLoss(spec, down)
