"""The one input of a simulation: a cluster, a storage system with its client, and a workload."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from models.hardware.cluster import Cluster, Group
from models.jobs.mapreduce import MapReduce
from models.quantity import Model, part, setting
from models.storage.hdfs import Hdfs
from models.storage.minio import Minio, check_set, set_size, usable_fraction
from models.storage.s3a import S3aClient

StorageSystem = Annotated[Hdfs | Minio, Field(discriminator="system")]


class ProfileInfo(Model):
    """What a profile is about."""

    title: str = setting("One line that says what is run on what.")
    family: str = setting("Documented outcomes that it belongs to, or 'study'.", default="study")
    outcome: str | None = setting("Id of the documented outcome that it reproduces.", default=None, inherited=False)


class Scenario(Model):
    """Everything a run needs to know."""

    profile: ProfileInfo = setting("What the profile is about.")
    cluster: Cluster = part("clusters", "Servers and network.")
    storage: StorageSystem = part("storage", "Storage system.")
    client: S3aClient | None = part("clients", "Client of an object store.", default=None)
    workload: MapReduce = part("workloads", "What is run.")

    @model_validator(mode="after")
    def _parts_fit(self) -> Scenario:
        self._group(self.storage.servers, "storage.servers")
        self._group(self.workload.framework.servers, "workload.framework.servers")
        self._storage_fits()
        self._client_fits()
        self._places_exist()
        self._data_fits()
        return self

    def storage_group(self) -> Group:
        """Return the server group that stores."""
        return self.cluster.groups[self.storage.servers]

    def compute_group(self) -> Group:
        """Return the server group that runs the tasks."""
        return self.cluster.groups[self.workload.framework.servers]

    def capacity(self) -> dict[str, float]:
        """Return raw and usable bytes of the storage system, and the bytes that the run keeps there."""
        group = self.storage_group()
        bay = group.server.bays[self.storage.bay]
        raw = group.count * bay.count * bay.drive.capacity
        return {"raw": raw, "usable": raw * self._usable_fraction(), "needed": self._needed()}

    def _usable_fraction(self) -> float:
        if isinstance(self.storage, Hdfs):
            return self.storage.usable_fraction()
        group = self.storage_group()
        return usable_fraction(self.storage, group.count * group.server.bays[self.storage.bay].count)

    def _needed(self) -> float:
        """Return raw bytes that input and output occupy together."""
        job = self.workload
        factor = 1 / self._usable_fraction()
        output = job.input * job.map_output * job.output or job.generated
        replicas = job.output_replication if isinstance(self.storage, Hdfs) else None
        return job.input * factor + output * (replicas or factor)

    def _group(self, name: str, key: str) -> None:
        if name not in self.cluster.groups:
            known = ", ".join(self.cluster.groups)
            raise ValueError(f"{key} = {name!r}: the cluster has no such group (it has: {known})")

    def _storage_fits(self) -> None:
        group = self.storage_group()
        if self.storage.bay not in group.server.bays:
            known = ", ".join(group.server.bays) or "none"
            raise ValueError(f"storage.bay = {self.storage.bay!r}: the servers have no such bay (they have: {known})")
        if isinstance(self.storage, Hdfs):
            self._replicas_fit(self.storage.replication, "storage.replication")
            self._replicas_fit(self.workload.output_replication or 1, "workload.output_replication")
        else:
            self._sets_fit(self.storage)

    def _replicas_fit(self, replicas: int, key: str) -> None:
        servers = self.storage_group().count
        if replicas > servers:
            raise ValueError(
                f"{key} = {replicas}: needs as many servers, group {self.storage.servers!r} has {servers};"
                " lower it or add servers"
            )

    def _sets_fit(self, store: Minio) -> None:
        group = self.storage_group()
        try:
            check_set(set_size(group.count * group.server.bays[store.bay].count, store.set_size), store.parity)
        except ValueError as error:
            raise ValueError(f"storage.{error}") from None
        if store.failed_drives == store.parity:
            raise ValueError(
                f"storage.failed_drives = {store.failed_drives}: a set takes no writes with all {store.parity} drives"
                " of its parity offline; lower it or raise the parity"
            )

    def _client_fits(self) -> None:
        if isinstance(self.storage, Minio) and self.client is None:
            raise ValueError('client: an object store needs one; add [client] with connector = "s3a"')
        if isinstance(self.storage, Hdfs) and self.client is not None:
            raise ValueError("client: HDFS brings its own client; remove [client]")

    def _places_exist(self) -> None:
        server = self.compute_group().server
        places = {"workload.framework.local_dirs": self.workload.framework.local_dirs}
        if self.client is not None:
            places["client.fs.s3a.buffer.dir"] = self.client.fs.s3a.buffer.dir
        for key, place in places.items():
            if place not in server.bays and place not in server.volumes:
                known = ", ".join([*server.bays, *server.volumes]) or "none"
                raise ValueError(f"{key} = {place!r}: the servers have no such bay or volume (they have: {known})")

    def _data_fits(self) -> None:
        capacity = self.capacity()
        raw, needed = capacity["raw"], capacity["needed"]
        if needed > raw:
            raise ValueError(
                f"the data needs {needed / 1e12:.4g} TB of raw capacity, storage.servers has {raw / 1e12:.4g} TB;"
                " add drives or servers, or lower the data, the replicas or the parity"
            )
