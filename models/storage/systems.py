"""All storage systems, and the clients through which workloads use them.

A system is a folder of this package: its `system.py` has one subclass of `StorageModel`, and its `runtime.py` says what
it does on a layout. That is all it takes to be known. `mount` is the one way in which a workload gets at any of them:
the system through a client.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from importlib.util import find_spec
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, get_args

import models.storage
from models.alternatives import Alternatives
from models.hardware.cluster import Layout
from models.problem import refusal
from models.storage.clients.mount import Mount, MountPoint
from models.storage.clients.native import NativeMount
from models.storage.clients.posix import PosixClient, PosixMount
from models.storage.clients.reading import Fetch, as_asked
from models.storage.clients.s3 import S3Client, S3Mount
from models.storage.clients.s3a import Buffer, Fs, S3aClient, S3aSettings
from models.storage.clients.s3a_mount import S3aMount
from models.storage.clients.s3a_writer import S3aWriter
from models.storage.contract import Runtime, StorageModel


def _systems() -> Iterator[type[StorageModel]]:
    """Yield the description of each system, in the order of their folders."""
    for _, folder, is_folder in pkgutil.iter_modules(models.storage.__path__):
        name = f"models.storage.{folder}.system"
        if is_folder and find_spec(name):
            module = import_module(name)
            own = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == name]
            yield from (kind for kind in own if issubclass(kind, StorageModel))


SYSTEMS = tuple(_systems())
Client = Annotated[S3aClient | PosixClient | S3Client, Alternatives("connector")]

if TYPE_CHECKING:
    from models.storage.object_routes import Ends, ObjectRoutes

    StorageSystem = StorageModel
else:
    StorageSystem = Annotated[reduce(or_, SYSTEMS), Alternatives("system")]


def runtime_of(storage: StorageSystem) -> Runtime:
    """Return what a storage system does on a layout."""
    folder = type(storage).__module__.rpartition(".")[0]
    runtime: Runtime = import_module(f"{folder}.runtime").RUNTIME
    return runtime


def routes(storage: StorageSystem, layout: Layout, ends: Ends) -> ObjectRoutes:
    """Return the routes of a load of requests to a storage system.

    Raises:
        RefusalError: it takes none.
    """
    make = runtime_of(storage).routes
    if make is None:
        raise refusal(
            "storage.system",
            "what it does for a request is not described",
            "name another system, or another kind of workload",
            value=storage.system,
        )
    return make(storage, layout, ends)


def usual_client(storage: StorageSystem, stages_at: str | None) -> Client | None:
    """Return the client that a workload takes where a profile names none; None is a file system's own.

    A Hadoop job, which stages its output at a place of its servers, takes S3A on an object store; others an SDK that
    reads an object over one connection.
    """
    if storage.interface == "objects":
        if stages_at is None:
            return S3Client(connector="s3", connections=1)
        return S3aClient(connector="s3a", fs=Fs(s3a=S3aSettings(buffer=Buffer(dir=stages_at))))
    return None if storage.has_own_client else PosixClient(connector="posix")


def fetching(client: Client | None) -> Fetch:
    """Return what becomes of the columns that an engine reads through a client: all but S3A send what is asked for."""
    return client.fetched if isinstance(client, S3aClient) else as_asked


def keeps_objects(system: str) -> bool:
    """Tell whether a storage system of that name is a store of objects."""
    named = (kind for kind in SYSTEMS if get_args(kind.model_fields["system"].annotation) == (system,))
    return any(kind.interface == "objects" for kind in named)


def has_choice(storage: StorageSystem) -> bool:
    """Tell whether clients of more than one kind speak to a storage system."""
    return sum(storage.interface in kind.speaks for kind in (S3aClient, PosixClient, S3Client)) > 1


def mount(storage: StorageSystem, client: Client | None, point: MountPoint) -> Mount:
    """Return a storage system through a client; None is a file system's own client."""
    if isinstance(client, PosixClient):
        return PosixMount(mount(storage, client.objects if storage.interface == "objects" else None, point), client)
    if point.write_window is not None:
        storage = storage.with_window(point.write_window)
    runtime = runtime_of(storage)
    store = runtime.store(storage, point.layout, point.salt, point.outage)
    repairs: Any = runtime.repairs(store) if runtime.repairs and point.outage.may_fail else None
    if client is None:
        return NativeMount(store, point.local.page, storage.shares, repairs, point.wishes.algorithm)
    if isinstance(client, S3Client):
        return S3Mount(store, client, storage.shares, repairs)
    pending = client.pending(storage.uploads_expire)
    settings = client.fs.s3a.of_engine(point.wishes.algorithm)
    writer = S3aWriter(settings, store, point.local, pending, point.least_split)
    asked = client.asked_in_order(point.wishes.declared)
    return S3aMount(store, writer, storage.shares, point.object_size, repairs, asked)
