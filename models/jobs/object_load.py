"""A load of S3 requests, as a generator such as warp, s3-benchmark or COSBench makes it, or as an application does.

Clients send a mix of GET, PUT, HEAD, LIST and DELETE: in a closed loop, in which each thread sends its next request
when it is done with the last, or in an open one, at a rate. What counts is throughput and latency of each kind.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Model, Quantity, group, pieces, quantity, setting
from models.units import format

if TYPE_CHECKING:
    from models.failures import Failures
    from models.storage.systems import StorageSystem

Action = Literal["get", "put", "head", "head-missing", "list", "delete"]
MOVES_BYTES = ("get", "put")
WRITES = ("put", "delete")
USUAL_WEIGHT = 1.0
LONGEST_PAUSE = 86400.0
"""Seconds between two requests of a client at most. Assumption: who pauses for longer than a day is none of a load."""


def shared(rate: float, weights: Mapping[str, float]) -> dict[str, float]:
    """Return what of a rate each kind of requests in a mix has."""
    return {name: rate * weight / (sum(weights.values()) or 1.0) for name, weight in weights.items()}


class Operation(Model):
    """Requests of one kind in a mix."""

    action: Action = setting("What is asked: head-missing is a HEAD that finds nothing, list a page of 1,000 keys.")
    weight: float = setting("Number of these requests relative to the others of the mix.", default=USUAL_WEIGHT, gt=0)
    size: Quantity = quantity("B", "Size of the objects, the mean of a distribution (get and put).", default=0.0, ge=0)
    largest_size: Quantity | None = quantity(
        "B",
        "Sizes are spread evenly on a logarithmic scale from `size` to this one; default: all have `size`.",
        default=None,
        gt=0,
    )
    size_spread: float = setting(
        "Standard deviation of the logarithm of the sizes, which are log-normal about `size`.", default=0.0, ge=0, le=4
    )
    range: Quantity | None = quantity("B", "Bytes of an object that a get asks for; default: all.", default=None, gt=0)
    part_size: Quantity | None = quantity(
        "B",
        "Bytes of a part of a multipart upload (put), or of a download by ranges, whose first part comes alone (get);"
        " default: the object in one request.",
        default=None,
        gt=0,
    )
    parts_at_once: int = setting(
        "Parts of an object that a client sends, or asks for, at the same time.", default=4, ge=1
    )
    between_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a client between the end of one of these and its next request (closed loop), which "
        "no latency counts.",
        default=0.0,
        ge=0,
        le=LONGEST_PAUSE,
    )
    between_byte_cpu: Quantity = quantity(
        "s/B", "The same for each of its bytes: those of a tool that makes or checks data.", default=0.0, ge=0, le=1e-3
    )

    @model_validator(mode="after")
    def _sizes_fit(self) -> Operation:
        if self.action in MOVES_BYTES and self.size <= 0:
            raise refusal("size", f"a {self.action} moves bytes", "state the size of the objects")
        if self.largest_size is not None and (self.size_spread > 0 or self.largest_size < self.size):
            raise refusal(
                "largest_size", "must not be below size, nor go with size_spread", value=format(self.largest_size, "B")
            )
        if self.range is not None and (self.action != "get" or self.range > (self.largest_size or self.size)):
            raise refusal(
                "range", "only a get asks for a range, no longer than the object", value=format(self.range, "B")
            )
        if self.part_size is not None and (self.action not in MOVES_BYTES or self.range is not None):
            raise refusal(
                "part_size", "only a put, or a get of all of an object, has parts", value=format(self.part_size, "B")
            )
        parts = sum(self.verbs().values())  # which refuses more than are simulated
        if self.action == "put" and parts > MOST_PARTS + 2:
            text = f"{format(self.mean_size, 'B')} have {parts - 2:,.0f} parts, an upload has at most {MOST_PARTS:,}"
            raise refusal("part_size", text, "raise it", value=format(self.part_size or 0.0, "B"))
        return self

    @property
    def part(self) -> float | None:
        """Bytes of a part of an object of the mean size; None where it is moved in one request."""
        return None if self.part_size is None or self.part_size >= self.mean_size else self.part_size

    def verbs(self) -> dict[str, float]:
        """Return the requests of each verb that one of these of the mean size comes to.

        A multipart upload begins and completes, too.

        Raises:
            RefusalError: it has more parts than are simulated.
        """
        if self.part is not None:
            parts = float(pieces(self.mean_size, self.part, "size"))
            return {"GET": parts} if self.action == "get" else {"PUT": parts, "POST": 2.0}
        return {"HEAD" if self.action == "head-missing" else self.action.upper(): 1.0}

    def read_bytes(self) -> float:
        """Return the bytes that one of these reads on average."""
        if self.action != "get":
            return 0.0
        return self.range if self.range is not None else self.mean_size

    def written_bytes(self) -> float:
        """Return the bytes that one of these writes on average."""
        return self.mean_size if self.action == "put" else 0.0

    @property
    def mean_size(self) -> float:
        """Mean size (B) of the objects: that of a log-uniform distribution where `largest_size` is stated."""
        if self.largest_size is None or self.largest_size == self.size:
            return self.size
        return (self.largest_size - self.size) / math.log(self.largest_size / self.size)


MOST_PARTS = 10_000
"""Parts of an upload. Source: Amazon S3 User Guide, multipart upload limits, which other stores share."""
MOST_REQUESTS = 1_000_000_000
"""Requests of a load with those of their parts. Assumption: to simulate more takes most of a day."""
MOST_KINDS = 1000
"""Kinds of requests of a load. Assumption: nobody tells more apart, and each takes 0.4 MB of a run."""


class ObjectLoad(WorkloadModel):
    """Requests of many clients to an object store."""

    is_divided_beside: ClassVar[bool] = True
    only_with: ClassVar[Mapping[str, str]] = {"processes": "idle_connections", "think_spread": "think"}
    goes_on: ClassVar[bool] = True
    kind: Literal["requests"] = setting("Kind of workload.")
    clients: str = group("Server group that sends the requests; the store's own if clients and servers share machines.")
    own_server: bool = setting(
        "Whether a client talks to the server of the store on its own machine, instead of to any.", default=False
    )
    endpoints: int | None = setting(
        "Servers of the store, or its gateways, that clients ask: those of the addresses that a tool is given; default:"
        " all.",
        default=None,
        ge=1,
    )
    threads: int | None = setting(
        "Requests that each client has under way (closed loop); state this or rate.", default=None, ge=1
    )
    think: Quantity = quantity(
        "s",
        "Mean time that a client waits between a result and its next request, as a user who reads it does (closed "
        "loop); its threads are then the users.",
        default=0.0,
        ge=0,
        le=LONGEST_PAUSE,
    )
    think_spread: float = setting(
        "Standard deviation of the logarithm of these times, which are log-normal about `think`; 0: all alike.",
        default=0.0,
        ge=0,
        le=4,
    )
    rate: Quantity | None = quantity(
        "1/s", "Requests of all clients a second, at random (open loop).", default=None, gt=0
    )
    connections: int | None = setting(
        "Connections of a client's pool; default: as many as it asks for.", default=None, ge=1
    )
    idle_connections: int | None = setting(
        "Connections without a request that each of its processes keeps; a request that finds none opens one. Default: "
        "all.",
        default=None,
        ge=0,
    )
    processes: int = setting(
        "Processes of a client, among which its requests are dealt, each with connections of its own.", default=1, ge=1
    )
    mix: dict[str, Operation] = setting("Kinds of requests, by name.")
    duration: Quantity | None = quantity(
        "s",
        "Time of the load; state this or count. More is simulated where it is too short for a steady rate.",
        default=None,
        gt=0,
    )
    count: int | None = setting(
        "Requests of the load; more are simulated where these are too few for a steady rate.", default=None, ge=1
    )
    warm_up: float = setting("Part at the start that latencies and throughput leave out.", default=0.1, ge=0, lt=1)
    timeout: Quantity = quantity("s", "Time after which a client gives an attempt up.", default=math.inf, gt=0)
    attempts: int = setting("Attempts of a request that was given up or refused, before it fails.", default=4, ge=1)
    back_off: Quantity = quantity("s", "Wait before the second attempt; doubled with each.", default="0.1 s", gt=0)
    request_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a client per request of an object store, without its bytes; what a client of a file "
        "system spends is stated with that.",
        default="0.18 ms",
        source="prior: measured of SDKs in Go, 0.17 and 0.19 (docs/loads.md); 0.1 ms in C, 0.4 in Java, 1.5 in boto3",
        between=("0.07 ms", "0.4 ms"),
        ge=0,
    )
    byte_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a client per byte of an object store: TCP, HTTP, copies, checksums. Where the store "
        "speaks TLS, that comes on top (0.25 ns/B).",
        default="0.95 ns/B",
        source="prior: SDK in Go, 1.2 ns/B through TLS; 0.45 in C++, 1.55 in Java 11 to 17, 5 in boto3",
        between=("0.55 ns/B", "1.75 ns/B"),
        ge=0,
    )
    prepare_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a client per byte of an upload before it sends the first: of a generator that makes "
        "the data of each anew, and takes that time for a part of the request.",
        default=0.0,
        ge=0,
    )
    credits: Literal["full", "spent"] = setting(
        "Credits of cards that burst when the load begins: all, so that they carry what they do on the mean over its "
        "time, or none, as in a load that goes on for ever.",
        default="full",
    )
    data: Quantity = quantity("B", "Size of all objects, held against the capacity.", default=0.0, ge=0)
    precision: float = setting(
        "Half the width of the 95 % interval of the request rate, as a fraction, at which the run stops; 0: never.",
        default=0.005,
        ge=0,
        lt=1,
    )

    @model_validator(mode="after")
    def _is_one_loop(self) -> ObjectLoad:
        if not self.mix:
            raise refusal("workload.mix", "a load needs at least one kind of requests")
        if len(self.mix) > MOST_KINDS:
            raise refusal("workload.mix", f"has {len(self.mix):,} kinds of requests, expected at most {MOST_KINDS:,}")
        if (self.threads is None) == (self.rate is None):
            raise refusal("workload.threads", "state either threads (closed loop) or rate (open loop)")
        if self.rate is not None:
            self._check_pauses()
        if (self.duration is None) == (self.count is None):
            raise refusal("workload.duration", "state either duration or count")
        from models.requests import LEAST  # imported late: most profiles have no load

        requests = (self.count or LEAST) * sum(self.verbs().values())
        if requests > MOST_REQUESTS:
            text = f"comes to {requests:.3g} requests with all parts, at most {MOST_REQUESTS:,} are simulated"
            raise refusal("workload.count", text, "lower it, or make the parts larger", value=self.count)
        if self.own_server and self.endpoints is not None:
            raise refusal(
                "workload.endpoints", "with own_server each client asks the server beside it; state one of both"
            )
        return self

    def _check_pauses(self) -> None:
        """Refuse what clients would do between a result and the next request, for which an open loop does not wait."""
        text = "an open loop sends its requests whenever they come, and waits for no result"
        if self.think:
            out = "state threads in place of rate, or leave it out"
            raise refusal("workload.think", text, out, value=format(self.think, "s"))
        for name, operation in self.mix.items():
            for key in ("between_cpu", "between_byte_cpu"):
                if getattr(operation, key):
                    raise refusal(f"workload.mix.{name}.{key}", text, "state threads in place of rate, or leave it out")

    def rates(self) -> dict[str, float]:
        """Return the requests a second of each kind of an open loop, by name; nothing for a closed one."""
        weights = {name: operation.weight for name, operation in self.mix.items()}
        return shared(self.rate, weights) if self.rate is not None else {}

    def verbs(self) -> dict[str, float]:
        """Return the requests of each verb that a request of the mix comes to on average; an upload has one a part."""
        total = sum(operation.weight for operation in self.mix.values())
        counted: defaultdict[str, float] = defaultdict(float)
        for operation in self.mix.values():
            for verb, count in operation.verbs().items():
                counted[verb] += count * operation.weight / total
        return dict(counted)

    def read_bytes(self) -> float:
        """Return the bytes that a request of the mix reads on average."""
        return self._of_a_request(Operation.read_bytes)

    def under_way(self, cluster: Cluster) -> int:
        """Return the requests of a closed loop to all servers of a store, 0 of others and where none is to be left out.

        A load is known by fewer requests than it has where it states a precision.
        """
        if self.threads is None or self.endpoints is not None or not self.precision:
            return 0
        return self.threads * cluster.groups[self.clients].count

    def lasts(self, cluster: Cluster) -> float:
        """Return the seconds over which credits carry the load, those that its bytes take at the least of the clients.

        It is for ever where credits are spent.
        """
        if self.credits == "spent":
            return math.inf
        if self.duration is not None:
            return self.duration
        assert self.count is not None  # the workload has been validated
        clients = cluster.groups[self.clients]
        moved = self.count * max(self.read_bytes(), self._of_a_request(Operation.written_bytes))
        sent = self.count / self.rate if self.rate is not None else 0.0
        thought = self.count * self.think / (clients.count * (self.threads or 1))
        return max(moved / (clients.count * clients.server.nic.rate), sent, thought)

    def on_credits(self, storage: StorageSystem, cluster: Cluster) -> Iterator[str]:
        """Yield in words whose cards, of clients and of the store, carry more on credits than they do for ever."""
        seconds = self.lasts(cluster)
        for name in dict.fromkeys((self.clients, *storage.server_groups().values())):
            nic = cluster.groups[name].server.nic
            if (rate := nic.mean_rate(seconds)) > nic.sustained:
                yield (
                    f"cards of {name} carry {format(rate, 'B/s')} of this load on credits, and"
                    f" {format(nic.sustained, 'B/s')} for ever: state workload.credits = 'spent' where it goes on"
                )

    def _of_a_request(self, bytes_of: Callable[[Operation], float]) -> float:
        """Return the bytes of a request of the mix, on average."""
        total = sum(operation.weight for operation in self.mix.values())
        return sum(bytes_of(operation) * operation.weight for operation in self.mix.values()) / total

    def mean_object(self) -> float:
        """Return the mean size (B) of the objects that are put and got."""
        sized = [operation for operation in self.mix.values() if operation.size]
        weight = sum(operation.weight for operation in sized)
        return sum(operation.size * operation.weight for operation in sized) / weight if weight else 0.0

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.data, 0.0, None

    def grown(self, factor: float) -> Self:
        """Return the load with so many times the requests a second, to as many times the data.

        Raises:
            RefusalError: it is a closed loop, which sends as many as are answered.
        """
        if self.rate is None:
            text = "a load of threads sends as many requests as are answered, and has no rate that could grow"
            raise refusal("growth.workload_grows", text, "state rate in place of threads, or leave it out")
        return self.model_copy(update={"rate": self.rate * factor, "data": self.data * factor})

    def check_faults(self, storage: StorageSystem, failures: Failures, cluster: Cluster) -> None:
        """Refuse faults with which a load cannot be measured.

        Raises:
            RefusalError: they are such.
        """
        from models.jobs.object_load_damage import check_faults  # imported late: few loads meet faults

        writes = any(operation.action in WRITES for operation in self.mix.values())
        check_faults(storage, failures, cluster, self.clients, writes=writes)
