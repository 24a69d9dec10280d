"""Amazon S3 for jobs: its operations beside a layout."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.amazon_s3.operations import AmazonS3Operations
from models.storage.amazon_s3.system import AmazonS3
from models.storage.described_store import ObjectOperations


class AmazonS3Store(ObjectOperations):
    """Amazon S3 beside the servers of a layout."""

    def __init__(self, spec: AmazonS3, layout: Layout, salt: int = 0, outage: Outage | None = None) -> None:
        operations = AmazonS3Operations(spec)
        super().__init__(operations, layout, salt, outage)
        for limit in (operations.reads, operations.writes):
            layout.rate(limit.name, limit.rate * limit.prefixes)  # a run starts with all of its resources
