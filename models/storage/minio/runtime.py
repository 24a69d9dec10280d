"""MinIO on a layout."""

from __future__ import annotations

from models.storage.contract import Runtime
from models.storage.minio.loss import loss
from models.storage.minio.rebuild import MinioRebuild
from models.storage.minio.routes import minio_routes
from models.storage.minio.store import MinioStore

RUNTIME = Runtime(store=MinioStore, repairs=MinioRebuild, routes=minio_routes, loss=loss)
