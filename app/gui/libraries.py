"""The libraries of the system that Qt loads, and the Debian packages that bring them.

    python -m app.gui.libraries           installs what is missing where it may, prints the line to type elsewhere
    python -m app.gui.libraries --x11     the same for windows on an X server, and a virtual one

Source of the list: found on Debian 12 by leaving each package out of a minimal system.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
X11 = {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}
WAYLAND = {"libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0"}
ON = {"xcb": X11, "wayland": WAYLAND}
"""What a display needs in addition, by Qt's name of its platform."""
PROGRAMS = {"Xvfb": "xvfb", "xauth": "xauth"}
FONT = "fonts-dejavu-core"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


def missing(platform: str = "") -> list[str]:
    """Return the packages whose libraries or fonts are not there; none where the system is not Linux.

    `platform` is Qt's name of the kind of display; "" for windows that nobody sees.
    """
    if not sys.platform.startswith("linux"):
        return []
    libraries = PACKAGES | ON.get(platform, {})
    lacking = [package for library, package in libraries.items() if not loads(library)]
    return lacking if _has_font() else [*lacking, FONT]


def install_line(packages: Sequence[str]) -> str:
    """Return what to type as root."""
    return shlex.join(["apt-get", "install", "-y", "--no-install-recommends", *packages])


def main() -> int:
    """Install what is missing, or say how; 0 if nothing is missing in the end."""
    is_x11 = "--x11" in sys.argv[1:]
    lacking = _wanting(is_x11=is_x11)
    if lacking and os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(shlex.split(install_line(lacking)), check=False)
        lacking = _wanting(is_x11=is_x11)
    if lacking:
        print(f"The window needs system libraries that are missing. As root: {install_line(lacking)}", file=sys.stderr)
    return 1 if lacking else 0


def _wanting(*, is_x11: bool) -> list[str]:
    """Return the packages that are missing, with those of a virtual X server."""
    programs = [package for program, package in PROGRAMS.items() if is_x11 and not shutil.which(program)]
    return [*missing("xcb" if is_x11 else ""), *programs]


def loads(library: str) -> bool:
    """Tell whether a library of the system is there."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_font() -> bool:
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(next(folder.rglob(f"*{suffix}"), None) for folder in folders for suffix in (".ttf", ".otf", ".pfb"))


if __name__ == "__main__":
    sys.exit(main())
