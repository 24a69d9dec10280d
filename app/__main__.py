"""The `simulate` command, also as `python -m app`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

CANCELLED = 130
"""As of a command that is cancelled later: app.cli.failures, which is not there yet."""


def main() -> None:
    """Run the command line. Imported late, so that worker processes, which import this module too, stay light."""
    if getattr(sys, "frozen", False):  # only a packaged program is its own interpreter, and may be started as a worker
        from multiprocessing import freeze_support

        freeze_support()
    try:
        from app.cli.main import main
    except KeyboardInterrupt:  # in the first tenth of a second, before anything is there to meet it
        with suppress(OSError):
            print("Cancelled.", file=sys.stderr, flush=True)
        os._exit(CANCELLED)
    main()


if __name__ == "__main__":
    main()
