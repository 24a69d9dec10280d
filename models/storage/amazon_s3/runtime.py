"""Amazon S3 on a layout."""

from __future__ import annotations

from models.storage.amazon_s3.routes import AmazonS3Routes
from models.storage.amazon_s3.store import AmazonS3Store
from models.storage.contract import Runtime

RUNTIME = Runtime(store=AmazonS3Store, routes=AmazonS3Routes)
