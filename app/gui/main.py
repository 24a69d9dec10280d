"""`headroom [PROFILE]`: opens the window; `headroom --check` tries it.

Says what to install where Qt, or a library that it needs, is missing.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import sys

from app.gui.display import hindrance
from app.gui.libraries import install_line, missing


def main() -> int:
    """Open the window and return the exit status: 0 closed by the user, 1 it cannot be opened or the check failed.

    No garbage is looked for among what is imported: that took 65 ms of a start, and the first look of the window's own
    collector as long.
    """
    gc.disable()
    multiprocessing.freeze_support()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for its processes, too: `app.cli.main` says why
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    parser = argparse.ArgumentParser(prog="headroom", description="The window of Headroom.", allow_abbrev=False)
    parser.add_argument("profile", nargs="?", help="a shipped profile's name, or a TOML file")
    parser.add_argument("--check", action="store_true", help="open the window, simulate a profile, say so and close")
    asked = parser.parse_args()
    import models.scenario  # noqa: F401 - before Qt, which reads the text of each module that is imported after it

    try:
        import PySide6  # noqa: F401 - whoever lacks Qt is told that before what the display lacks

        text = hindrance(os.environ)
        if text:
            print(f"headroom: the window cannot be opened: {text}", file=sys.stderr)
            return 1
        from app.gui import application, check
    except ImportError as error:
        print(_way_out(error), file=sys.stderr)
        return 1
    return check.run() if asked.check else application.run(asked.profile)


def _way_out(error: ImportError) -> str:
    if (error.name or "").partition(".")[0] in {"PySide6", "pyqtgraph", "shiboken6"} and "cannot open" not in str(
        error
    ):
        return "headroom: the window needs Qt, which is not installed: pip install 'headroom[gui]'"
    lacking = missing()
    way_out = f"; on Debian or Ubuntu: {install_line(lacking)}" if lacking else ""
    return f"headroom: the window cannot be opened: {error}{way_out}"


if __name__ == "__main__":
    sys.exit(main())
