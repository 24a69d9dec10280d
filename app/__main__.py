"""The `simulate` command, also as `python -m app`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. Imported late, so that worker processes, which import this module too, stay light."""
    if getattr(sys, "frozen", False):  # only a packaged program is its own interpreter, and may be started as a worker
        from multiprocessing import freeze_support

        freeze_support()
    from app.cli.main import main

    main()


if __name__ == "__main__":
    main()
