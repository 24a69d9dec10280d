"""The `simulate` command, also as `python -m app`."""

from __future__ import annotations

from multiprocessing import freeze_support


def main() -> None:
    """Run the command line. Imported late, so that worker processes, which import this module too, stay light."""
    freeze_support()
    from app.cli.main import main

    main()


if __name__ == "__main__":
    main()
