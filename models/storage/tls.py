"""TLS: what encryption and decryption of a byte cost a processor, by who does it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Literal

from models.quantity import Model, Quantity, quantity, setting

Tls = Literal["none", "native", "java-8", "java-11", "java-17"]

TLS_CPU: Mapping[Tls, float] = MappingProxyType(
    {"none": 0.0, "native": 0.25e-9, "java-8": 12e-9, "java-11": 1.0e-9, "java-17": 0.45e-9}
)
"""Reference core-seconds of AES-128-GCM per byte (s/B). Priors: C and Go with AES instructions 0.25 (0.2 to 0.4); Java
17 0.45 (0.4 to 0.5), measured in 16 KiB records; Java 11 1.0 (0.8 to 1.3); Java 8, in bytecode, 12 (7 to 25)."""
TLS_MEANING = (
    "Who decrypts what is read: AES-GCM takes 0.25 core-ns a byte in C and Go (native), 12 in Java 8, 1.0 in Java 11,"
    " 0.45 in Java 17; none where there is no TLS, or `stream_cpu` holds it."
)


HANDSHAKE_CPU, ANSWER_CPU = 0.36e-3, 0.9e-3
"""Reference core-seconds of a handshake of TLS with a certificate of RSA-2048, of a client and of the server. Priors,
measured (docs/loads.md): 0.3 to 0.5, and 0.7 with OpenSSL, 1.1 to 1.2 in Go; 0.3 to 0.4 with one of ECDSA."""
HANDSHAKE_TRIPS = 1
"""Round trips of a handshake. Source: RFC 8446, TLS 1.3; two until 1.2 (RFC 5246), which Amazon S3 spoke until
2022."""


class ServesTls(Model):
    """A store that may speak TLS."""

    only_with: ClassVar[Mapping[str, str]] = {"tls_cpu": "tls"}
    tls: bool = setting(
        "Whether clients speak TLS to the store; servers of MinIO then do so among themselves.", default=False
    )
    tls_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds per byte at the store's end of a connection under TLS.",
        default="0.25 ns/B",
        source="prior: AES-128-GCM with AES instructions in C and Go",
        between=("0.2 ns/B", "0.4 ns/B"),
        ge=0,
    )

    @property
    def is_encrypted(self) -> bool:
        """Whether clients speak TLS to the system."""
        return self.tls

    @property
    def encryption_cpu(self) -> float:
        """Reference core-seconds per byte for encryption at one end of a connection."""
        return self.tls_cpu if self.tls else 0.0
