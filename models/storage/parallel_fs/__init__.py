"""Parallel and distributed file systems with file servers."""
