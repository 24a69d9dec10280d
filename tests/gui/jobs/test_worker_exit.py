"""A program that never closed its window ends all the same, with its own status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from PySide6.QtCore import QCoreApplication
from app.gui.jobs.worker import Worker

if __name__ == "__main__":
    application = QCoreApplication(sys.argv)
    worker = Worker()
    worker.warm()
    print(worker.process_id, flush=True)
    {end}
"""


@pytest.mark.parametrize(("end", "status"), [("sys.exit(0)", 0), ("raise KeyError('a fault')", 1)])
def test_a_program_that_leaves_its_worker_open_ends_and_takes_the_process_with_it(
    tmp_path: Path, end: str, status: int
) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(end=end))
    path = os.pathsep.join([str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")])
    ended = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == status, ended.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(ended.stdout), 0)
