"""What `simulate durability` prints as JSON of a store that is rented."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Toml


class Promise(TypedDict):
    """How durable an object in a rented store is, as its provider says: chances within a year."""

    schema: Literal["headroom.promise/1"]
    title: str
    profile: str
    settings: dict[str, str]
    version: str
    object_annual_loss: float
    object_nines: float
    source: str
    warnings: list[str]
    resolved: Toml
