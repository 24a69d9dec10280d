"""Amazon S3 beside a layout: nobody sees what it loses."""

from __future__ import annotations

from models.storage.amazon_s3.operations import AmazonS3Operations
from models.storage.described_runtime import described

RUNTIME = described(lambda spec, layout: AmazonS3Operations(spec), repairs=None)
