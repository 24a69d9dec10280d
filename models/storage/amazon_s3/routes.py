"""Amazon S3, request by request: its operations for a load of requests."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.storage.amazon_s3.operations import AmazonS3Operations
from models.storage.amazon_s3.system import AmazonS3
from models.storage.described_routes import DescribedRoutes
from models.storage.object_routes import Ends


class AmazonS3Routes(DescribedRoutes):
    """The routes of Amazon S3 for clients at the other end, which try again as they say."""

    def __init__(self, spec: AmazonS3, layout: Layout, ends: Ends) -> None:
        super().__init__(AmazonS3Operations(spec), layout, ends)
