"""Settings that hold for all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples on every machine, and none judged by how long it took: a busy machine proves nothing.
settings.register_profile("headroom", deadline=None, derandomize=True)
settings.load_profile("headroom")
