"""How long a repair takes: a full drive, and a server full of them, fail on an idle cluster and are healed.

A sample of the lost pieces is healed under the throttles of the storage system, at the rates of its drives and cards;
the time of the whole grows with its bytes. Work on the cluster would slow the repair down: a run with faults shows it.
"""

from __future__ import annotations

import math

from models.hardware.cluster import Device, Layout, Node
from models.outage import Outage
from models.planning.durability import KNOWN as REPAIRED, RepairTime
from models.scenario import Scenario
from models.storage.hdfs import Hdfs
from models.storage.hdfs_replication import HdfsReplication
from models.storage.hdfs_store import HdfsStore
from models.storage.minio import Minio, MinioStore
from models.storage.minio_rebuild import MinioRebuild
from models.storage.s3a import S3aClient
from models.storage.storagegrid import StorageGrid
from models.storage.storagegrid_healing import HealingGridStore
from simulator.engine import Engine
from simulator.healing import Healing

PIECES, MOST = 2000, 4000
"""Blocks or shards of the sample, at least and at most. Assumption: enough for its ends to weigh some 3 %."""

FEW = 400
"""Pieces of the sample where no throttle goes in rounds, so that it has no ends. Assumption: as above."""

ROUNDS = 20
"""Rounds of a throttle that the sample lasts where it may. Assumption: as above."""

OBJECT_SIZE = 67108864.0
"""Bytes of an object where no client says how it cuts them. Assumption: 64 MiB."""


def repair_time(scenario: Scenario) -> RepairTime:
    """Return how long it takes until all that a full drive, or a full server, held is safe again.

    Counts from the failure: noticing it, replacing what failed where the system needs that, and the repair. A drive of
    a StorageGRID is rebuilt by the array of its node, in the time that the profile states.

    Raises:
        ValueError: the repairs of the storage system are not known.
    """
    spec = scenario.storage
    if isinstance(spec, StorageGrid):
        return RepairTime(spec.array_rebuild, _measured(scenario, spec, is_server=True))
    if not isinstance(spec, (Hdfs, Minio)):
        raise ValueError(f"storage.system = {spec.system!r}: repairs are known of {REPAIRED} only")
    return RepairTime(_measured(scenario, spec, is_server=False), _measured(scenario, spec, is_server=True))


Repaired = Hdfs | Minio | StorageGrid
Store = HdfsReplication | MinioRebuild | HealingGridStore
_known: dict[str, RepairTime] = {}


def known_repair_time(scenario: Scenario) -> RepairTime:
    """Return `repair_time`, simulated once for all scenarios with the same servers, storage, client and failures."""
    key = scenario.model_dump_json(include={"cluster", "storage", "client", "failures"})
    if key not in _known:
        _known[key] = repair_time(scenario)
    return _known[key]


def _measured(scenario: Scenario, spec: Repaired, *, is_server: bool) -> float:
    layout, outage = Layout(scenario.cluster), Outage(may_fail=True, epoch=1)
    engine, store = Engine(layout.resources), _store(spec, layout, outage)
    node = layout.groups[spec.servers][0]
    devices = node.bays[spec.bay][: None if is_server else 1]
    resources = _down(layout, node) if is_server else {devices[0].resource.index}
    outage.nodes |= {node.index} if is_server else set()
    repair = store.repair(resources, is_server)
    if repair.needs_replacement:
        outage.nodes.clear()
        outage.empty |= resources
    else:
        outage.lost |= resources
        engine.lose(resources)
    whole = sum(_capacity(device) for device in devices) * (scenario.failures.fill if scenario.failures else 1.0)
    size, share = _piece(scenario, spec, store)
    least = max(PIECES, ROUNDS * repair.batch) if repair.interval else FEW
    sample = min(math.ceil(whole / share), least, MOST)
    store.fill(node, devices, sample, size)
    healing = Healing(engine, repair, lambda: None)
    healing.start()
    engine.run()
    wait = scenario.failures.replacement_time if scenario.failures and repair.needs_replacement else 0.0
    return wait + repair.delay + (healing.ended_at or 0.0) * whole / healing.healed


def _store(spec: Repaired, layout: Layout, outage: Outage) -> Store:
    if isinstance(spec, Hdfs):
        return HdfsReplication(HdfsStore(spec, layout, 0, outage))
    if isinstance(spec, StorageGrid):
        return HealingGridStore(spec, layout, 0)
    return MinioRebuild(MinioStore(spec, layout, 0, outage))


def _piece(scenario: Scenario, spec: Repaired, store: Store) -> tuple[float, float]:
    """Return the bytes of a block or object, and of what one drive holds of it."""
    if isinstance(spec, Hdfs):
        return spec.block_size, spec.block_size
    assert isinstance(store, (MinioRebuild, HealingGridStore))
    client = scenario.client
    size = client.fs.s3a.block.size if isinstance(client, S3aClient) else OBJECT_SIZE
    return size, size / store.data


def _capacity(device: Device) -> float:
    return getattr(device.drive, "capacity", 0.0)


def _down(layout: Layout, node: Node) -> set[int]:
    resources = layout.resources
    return {i for i in range(len(resources)) if resources[i].name.startswith(f"{node.name}/")}
