"""Points on the workers of a Dask scheduler that is running already.

The scheduler deals points out and gives those of a worker that dies to another. Nothing is started here, and the
workers need the same version of this program: they say what they have before they get a point. A point that is no
longer wanted, since its study was cancelled or killed, ends on its worker within a second.

Points go out as Python objects, so workers trust who asks. Answers come back as JSON, and nothing that must be run to
be read is taken for one; errors are read as words, and so is any other object that a scheduler or a worker sends. What
workers print, or warn of, is not listened to.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import CancelledError, wait
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from models.problem import Problem, ProblemError
from simulator.clock import Cancelled
from simulator.fault_log import told
from simulator.studies.dask_errors import read_as_data
from simulator.studies.points import Answer, Point, PointFailure, answer, engine
from simulator.studies.pool import POLL

CONNECT = 3.0  # Assumption: seconds for a scheduler to answer; one on the same continent needs a tenth
PULSE = 1.0  # Assumption: seconds between two signs of life that a scheduler is asked for
SILENCE = 10.0  # Assumption: seconds without a sign of life after which a scheduler hangs
CLOSE = 1.0  # Assumption: seconds for a connection to close; it takes a twentieth
PATIENCE = 30.0  # Assumption: seconds for a worker to come, or to come back
ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:\d+")
INSTALL = "needs the package distributed; install it with: pip install 'headroom[dask]'"
CERTIFICATES = (
    "set DASK_DISTRIBUTED__COMM__TLS__CA_FILE,"
    " DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY to files in PEM"
)
CHECK = "see what runs on the workers"
DATA = ["dask", "msgpack"]
"""How answers may be packed: as bytes, not as objects whose reading runs code."""
LARGEST = 2**26
"""Bytes of an answer. Assumption: the largest scenario that a study takes has a hundredth of it."""
HEARD = ("print", "warn")
"""What a client of Dask listens to from workers unless told otherwise; both end on its terminal."""
_alone = threading.Lock()  # a worker may have several threads, a simulation has the process to itself


class Scheduler:
    """A connection to a scheduler."""

    def __init__(self, address: str) -> None:
        """Connect.

        Raises:
            ProblemError: nothing answers there, it is no address, or Dask is not installed.
        """
        self._address = address
        if not ADDRESS.fullmatch(address):
            raise self._problem("expected the address of a Dask scheduler such as tcp://10.0.0.1:8786")
        self._client = self._connected()
        self._pulse = _Pulse(self._client)

    def close(self) -> None:
        """Give up the connection, and all points that are under way with it."""
        with suppress(OSError):  # it has nothing more to say
            self._client.close(timeout=CLOSE)

    def count_workers(self) -> int:
        """Return the number of workers that there are now.

        Raises:
            ProblemError: one has another version of this program, or none, or does not say within `PATIENCE`.
        """
        until = time.monotonic() + PATIENCE
        try:
            versions = self._versions(lambda: time.monotonic() > until)
        except Cancelled:
            raise self._problem(f"not all workers answer within {PATIENCE:g} s; {CHECK}") from None
        for worker, version in versions.items():
            self._check_version(worker, version)
        return len(versions)

    def each(
        self, points: Sequence[Point], should_stop: Callable[[], bool]
    ) -> Iterator[tuple[int, Answer | PointFailure]]:
        """Yield (index, what it came to) as the points finish, in any order.

        Raises:
            Cancelled: `should_stop` said so.
            ProblemError: the scheduler is gone, has no worker, or the workers have another version.
        """
        self._check_workers(should_stop)
        futures = self._client.map(_answer_there, points, [engine()] * len(points), pure=False)
        numbers = {future.key: i for i, future in enumerate(futures)}
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for future in futures:
            future.add_done_callback(done.put)
        try:
            for _ in futures:
                future = self._next(done, should_stop)
                yield numbers[future.key], self._outcome(future, should_stop)
        finally:
            for future in futures:  # nobody else wants them, so the scheduler forgets them
                future.release()

    def _connected(self) -> Any:
        try:
            from distributed import Client, Security
        except ImportError:
            raise self._problem(INSTALL) from None
        read_as_data()
        for name in ("distributed", "distributed.client"):  # what goes wrong is told once, by us
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        import ssl  # which takes a while, and is there with Dask

        client: Any = Client
        security: Any = Security  # has no types
        try:
            named = security()
        except ValueError as error:  # a version of TLS that is none
            raise self._problem(f"Dask's settings cannot be used: {error}") from None
        if self._address.startswith("tls:") and not (named.tls_ca_file and named.tls_client_cert):
            raise self._problem(f"needs certificates, and Dask's settings name none; {CERTIFICATES}")
        try:
            connected = client(self._address, timeout=CONNECT, set_as_default=False, deserializers=DATA)
            for topic in HEARD:
                connected.unsubscribe_topic(topic)
            return connected
        except (FileNotFoundError, IsADirectoryError, PermissionError, ssl.SSLError) as error:
            raise self._problem(f"certificates cannot be used ({error}); {CERTIFICATES}") from None
        except RuntimeError as error:  # that settings ask for encryption
            raise self._problem(f"Dask refuses to connect: {error}; name the scheduler's address as tls://") from None
        except OSError:
            refused = f", or it refuses the certificates; {CERTIFICATES}" if self._address.startswith("tls:") else ""
            raise self._problem(
                f"no Dask scheduler answers within {CONNECT:g} s; start one with: dask scheduler{refused}"
            ) from None
        except Exception:  # of the library's own, which reads whatever answers
            raise self._problem("what answers there is no Dask scheduler; check the address") from None

    def _check_workers(self, should_stop: Callable[[], bool]) -> None:
        """Wait for a worker, and see that all there are have this version."""
        until = time.monotonic() + PATIENCE
        versions: dict[str, Any] = {}
        while not versions:
            _stop_if(should_stop)
            if time.monotonic() > until:
                raise self._alone()
            versions = self._versions(should_stop)
            time.sleep(0 if versions else POLL)
        for worker, version in versions.items():
            self._check_version(worker, version)

    def _versions(self, should_stop: Callable[[], bool]) -> dict[str, Any]:
        """Return what each worker says that it has."""
        asked = self._client.run(_engine_there, on_error="return", asynchronous=True)
        versions: dict[str, Any] = self._asked(asked, should_stop)
        return versions

    def _check_version(self, worker: str, version: object) -> None:
        if isinstance(version, BaseException):
            raise self._problem(f"the worker {worker} has no Headroom ({version}); install {engine()} there")
        if version != engine().encode():
            raise self._problem(
                f"the worker {worker} has Headroom {_words(version)}, expected {engine()}; install that there"
            )

    def _asked(self, asked: Coroutine[Any, Any, Any], should_stop: Callable[[], bool]) -> Any:
        """Return what the cluster answers, as long as the scheduler is there; it is read as data."""
        import asyncio  # imported late: a run without Dask has no use for it

        told = asyncio.run_coroutine_threadsafe(asked, self._client.loop.asyncio_loop)
        try:
            while not wait([told], POLL).done:  # a worker may keep for ever what it said that it has
                _stop_if(should_stop)
                if not self._pulse.is_felt():
                    raise self._gone()
        finally:
            told.cancel()
        try:
            return told.result()
        except (OSError, CancelledError):  # a future is cancelled as its scheduler goes
            raise self._gone() from None
        except Exception as error:  # of the library's own, which reads what workers send
            raise self._unread(error) from None

    def _next(self, done: queue.SimpleQueue[Any], should_stop: Callable[[], bool]) -> Any:
        """Wait for the next future, as long as the scheduler is there."""
        while True:
            _stop_if(should_stop)
            if not self._pulse.is_felt():
                raise self._gone()
            if not self._pulse.has_workers():
                raise self._alone()
            with suppress(queue.Empty):
                return done.get(timeout=POLL)

    def _outcome(self, future: Any, should_stop: Callable[[], bool]) -> Answer | PointFailure:
        if future.status == "cancelled":
            raise self._gone()
        error = self._asked(future.exception(asynchronous=True), should_stop)
        if error is None:
            return self._read(self._asked(self._client.gather(future, asynchronous=True), should_stop))
        if type(error).__name__ == OtherVersion.__name__:
            raise self._problem(f"{error}; install that there")
        return PointFailure(told(error), is_fault=True)

    def _read(self, packed: object) -> Answer | PointFailure:
        if not isinstance(packed, bytes) or len(packed) > LARGEST:
            raise self._problem(f"a worker answered what is no answer: no text of at most {LARGEST >> 20} MiB; {CHECK}")
        try:
            data = json.loads(packed)
            return Answer.from_json(data["answer"]) if "answer" in data else _failure(**data)
        except (TypeError, KeyError, ValueError, RecursionError) as error:
            raise self._unread(error) from None

    def _unread(self, error: Exception) -> ProblemError:
        why = str(error).partition("\n")[0]
        return self._problem(f"a worker answered what is no answer: {why}; {CHECK}")

    def _alone(self) -> ProblemError:
        return self._problem(f"no worker within {PATIENCE:g} s; start one with: dask worker {self._address}")

    def _gone(self) -> ProblemError:
        return self._problem("the Dask scheduler is gone; what had finished is kept, so start it and run this again")

    def _problem(self, message: str) -> ProblemError:
        return ProblemError([Problem(self._address, None, "", message)])


class _Pulse:
    """Asks a scheduler for a sign of life again and again: one that hangs closes no connection."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._sign: Any = None
        self._since = 0.0
        self._worked = time.monotonic()

    def is_felt(self) -> bool:
        """Tell whether the scheduler is connected and has answered in time."""
        import asyncio  # imported late: a run without Dask has no use for it

        now = time.monotonic()
        if self._client.status != "running":
            return False
        if self._sign is None or (self._sign.done() and now > self._since + PULSE):
            loop = self._client.loop.asyncio_loop
            self._sign = asyncio.run_coroutine_threadsafe(self._client.scheduler.identity(n_workers=0), loop)
            self._since = now
        return bool(self._sign.done()) or now < self._since + SILENCE

    def has_workers(self) -> bool:
        """Tell whether the last sign of life told of a worker, or one that told is not long past."""
        now = time.monotonic()
        if self._sign.done() and not self._sign.exception() and self._sign.result()["n_workers"]:
            self._worked = now
        return now < self._worked + PATIENCE


class OtherVersion(Exception):  # noqa: N818 - says what is the matter
    """A worker that came later has another version of this program."""


def _engine_there() -> bytes:
    return engine().encode()


def _answer_there(point: Point, expected: str) -> bytes:
    """Simulate a point on a worker, unless the worker has another version, and return the answer as JSON."""
    if engine() != expected:
        raise OtherVersion(f"a worker has Headroom {engine()}, expected {expected}")
    with _alone:
        answered = answer(point, _is_unwanted())
    return json.dumps({"answer": answered.to_json()} if isinstance(answered, Answer) else asdict(answered)).encode()


def _is_unwanted() -> Callable[[], bool]:
    """Return what tells whether the task of this thread was cancelled, as its worker knows from the scheduler."""
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()

    def is_unwanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return is_unwanted


def _failure(reason: object, is_fault: object) -> PointFailure:
    """Return why a worker has no answer, as it says.

    Raises:
        ValueError: it does not say.
    """
    if not isinstance(reason, str) or not isinstance(is_fault, bool):
        raise ValueError("no reason in words")
    return PointFailure(reason, is_fault)


def _words(version: object) -> str:
    return version.decode(errors="replace") if isinstance(version, bytes) else f"{version}"


def _stop_if(should_stop: Callable[[], bool]) -> None:
    if should_stop():
        raise Cancelled("cancelled by the user")
