"""Points on a Dask cluster behind TLS, with certificates made for it: who is let in, and what is told of the rest."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import dask
import pytest

from models.problem import ProblemError
from simulator.studies.points import answer
from simulator.studies.runner import run_points
from tests.simulator.studies.test_dask_runner import Cluster, cluster_of, free_port, points

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of the library's own
    pytest.mark.skipif(not shutil.which("openssl"), reason="certificates are made by openssl"),
]
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
ROLES = ("scheduler", "worker", "client")


def _openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def _authority(folder: Path, name: str) -> None:
    files = ("-keyout", f"{name}.key", "-out", f"{name}.pem")
    _openssl(folder, "req", "-x509", *CURVE, *files, "-subj", f"/CN={name}", "-addext", "keyUsage=keyCertSign")


def _certificate(folder: Path, name: str, authority: str, days: int) -> None:
    _openssl(folder, "req", *CURVE, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    signed = ("-CA", f"{authority}.pem", "-CAkey", f"{authority}.key", "-set_serial", "5", "-days", f"{days}")
    _openssl(folder, "x509", "-req", "-in", f"{name}.csr", *signed, "-out", f"{name}.pem")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two authorities, and certificates that are right, foreign and expired."""
    folder = tmp_path_factory.mktemp("certificates")
    for name in ("ours", "theirs"):
        _authority(folder, name)
    _certificate(folder, "right", "ours", 2)
    _certificate(folder, "foreign", "theirs", 2)
    _certificate(folder, "expired", "ours", -1)
    import_module("distributed")  # whose settings come while another is changed, and go when it is changed back
    return folder


def _settings(folder: Path, authority: str, certificate: str, key: str = "") -> dict[str, str]:
    tls = {f"{role}.cert": f"{folder / certificate}.pem" for role in ROLES}
    tls |= {f"{role}.key": f"{folder / (key or certificate)}.key" for role in ROLES}
    return {
        f"distributed.comm.tls.{name}": text for name, text in {"ca-file": f"{folder / authority}.pem", **tls}.items()
    }


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[Cluster]:
    settings = _settings(folder, "ours", "right").items()
    in_words = {f"DASK_{name.replace('.', '__').replace('-', '_').upper()}": text for name, text in settings}
    with cluster_of(scheme="tls", **in_words) as running:
        yield running


def test_a_cluster_behind_tls_gives_the_answers_of_this_process(cluster: Cluster, folder: Path) -> None:
    with dask.config.set(_settings(folder, "ours", "right")):
        assert run_points(points(1), scheduler=cluster.address) == [answer(point) for point in points(1)]


@pytest.mark.parametrize(
    ("authority", "certificate"),
    [("ours", "foreign"), ("theirs", "foreign"), ("theirs", "right"), ("ours", "expired")],
)
def test_certificates_of_another_authority_and_expired_ones_are_refused(
    cluster: Cluster, folder: Path, authority: str, certificate: str
) -> None:
    with (
        dask.config.set(_settings(folder, authority, certificate)),
        pytest.raises(ProblemError, match="or it refuses the certificates; set DASK_DISTRIBUTED__COMM__TLS__CA_FILE"),
    ):
        run_points(points(1), scheduler=cluster.address)


@pytest.mark.parametrize(
    ("authority", "certificate", "key"), [("ours", "right", "foreign"), ("none", "right", ""), ("folder", "right", "")]
)
def test_certificates_that_cannot_be_used_are_told(folder: Path, authority: str, certificate: str, key: str) -> None:
    (folder / "folder.pem").mkdir(exist_ok=True)
    with (
        dask.config.set(_settings(folder, authority, certificate, key)),
        pytest.raises(ProblemError, match="certificates cannot be used"),
    ):
        run_points(points(1), scheduler=f"tls://127.0.0.1:{free_port()}")


def test_a_version_of_tls_that_is_none_is_told(folder: Path) -> None:
    with (
        dask.config.set({**_settings(folder, "ours", "right"), "distributed.comm.tls.min-version": 1.1}),
        pytest.raises(ProblemError, match=r"Dask's settings cannot be used: .*1.1 is not supported"),
    ):
        run_points(points(1), scheduler=f"tls://127.0.0.1:{free_port()}")


@pytest.fixture
def babbling() -> Iterator[int]:
    """Return a port at which bytes by chance are sent to whoever calls."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def babble() -> None:
            with contextlib.suppress(OSError):  # the server is closed
                while True:
                    with server.accept()[0] as caller, contextlib.suppress(OSError):
                        caller.sendall(b"\xff" * 8 + os.urandom(5000))

        threading.Thread(target=babble, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_what_is_no_scheduler_is_told_whatever_it_says(folder: Path, babbling: int, scheme: str) -> None:
    with (
        dask.config.set(_settings(folder, "ours", "right")),
        pytest.raises(ProblemError, match=r"what answers there is no Dask scheduler; check|no Dask scheduler answers"),
    ):
        run_points(points(1), scheduler=f"{scheme}://127.0.0.1:{babbling}")
