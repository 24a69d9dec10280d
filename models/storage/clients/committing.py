"""The FileOutputCommitter of Hadoop, of which engines set a version, and which clients carry out."""

from __future__ import annotations

from typing import Literal

Algorithm = Literal[1, 2]
"""1: files are renamed by the task, and once more as the job commits; 2: by the task to their place."""
