"""Whether a window can be shown here, found out before Qt starts: where it cannot, Qt aborts with advice that is wrong.

Qt takes the first of several platforms that works: those that QT_QPA_PLATFORM names or, on Linux, Wayland and then
X11, as far as there is such a display. Source: `QGuiApplicationPrivate::createPlatformIntegration` of Qt 6.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from app.gui.libraries import install_line, missing

X11, WAYLAND = "xcb", "wayland"  # as Qt names them
NO_DISPLAY = (
    "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it from a desktop, or over ssh with -X;"
    " the command 'simulate' needs no display"
)


def hindrance(environment: Mapping[str, str]) -> str:
    """Return why no window can be shown, with the way out; "" where nothing speaks against it."""
    if not sys.platform.startswith("linux"):
        return ""
    hindrances = [_hindrance_of(platform, environment) for platform in platforms(environment)]
    return next(iter(hindrances), NO_DISPLAY) if all(hindrances) else ""


def platforms(environment: Mapping[str, str]) -> list[str]:
    """Return the platforms that Qt will try, in its order."""
    asked = environment.get("QT_QPA_PLATFORM")
    if asked:
        return [name.partition(":")[0] for name in asked.split(";")]
    is_wayland = "WAYLAND_DISPLAY" in environment or environment.get("XDG_SESSION_TYPE") == WAYLAND
    return [*([WAYLAND] if is_wayland else []), *([X11] if "DISPLAY" in environment else [])]


def _hindrance_of(platform: str, environment: Mapping[str, str]) -> str:
    plugin = _plugin(platform)
    if plugin is None:
        return ""  # Qt is not there, or names the platforms that it has
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        packages = missing(platform)
        way_out = f"; on Debian or Ubuntu, as root: {install_line(packages)}" if packages else ""
        return f"Qt's part for {platform} cannot be loaded: {error}{way_out}"
    if platform == X11 and not _x11_answers():
        return (
            f"the X server of DISPLAY={environment.get('DISPLAY', '')} does not answer: start one, or correct DISPLAY"
        )
    if platform == WAYLAND and not _wayland_answers():
        return "no Wayland compositor answers: start one, correct WAYLAND_DISPLAY, or set QT_QPA_PLATFORM=xcb for X11"
    return ""


def _plugin(platform: str) -> Path | None:
    """Return the library by which Qt shows windows on a platform, None where there is none."""
    package = find_spec("PySide6")
    folders = package.submodule_search_locations if package else None
    name = f"libq{platform.partition('-')[0]}.so"
    files = (Path(folder) / "Qt" / "plugins" / "platforms" / name for folder in folders or ())
    return next((file for file in files if file.exists()), None)


def _x11_answers() -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))  # never null; it says itself whether it failed
    has_failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not has_failed


def _wayland_answers() -> bool:
    client = ctypes.CDLL("libwayland-client.so.0")
    client.wl_display_connect.restype = ctypes.c_void_p
    connection = client.wl_display_connect(None)
    if connection is not None:
        client.wl_display_disconnect(ctypes.c_void_p(connection))
    return connection is not None
