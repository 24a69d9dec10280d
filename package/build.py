"""Builds the packaged program in dist/headroom, and starts and drives what it built.

    uv run --isolated --locked --no-dev --group package python -m package.build

It takes some minutes: PyInstaller follows every import, and the kernels are compiled for any processor of the kind.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from app.gui import libraries
from package import drive
from package.notices import UnclearError, notices

ROOT = Path(__file__).parent.parent
WORK = ROOT / "build"
BUILT = ROOT / "dist" / "headroom"
INNER = BUILT / "_internal"
NOTICES = "THIRD-PARTY-NOTICES.txt"
BILL = "bill-of-software.cdx.json"

TOOLS = {"objdump": "binutils", "strip": "binutils"}  # PyInstaller asks objdump what a library needs
BARE = """
import sys
from importlib.util import find_spec
from app.cli.main import execute
assert find_spec("PySide6") is None, "an installation without extras holds Qt"
sys.exit(execute(["--profile", "hdfs-terasort", "--output", sys.argv[1], "--report", sys.argv[2]]))
"""
NOT_STRIPPED = (".libs", "PySide6", "shiboken6")  # what others made to fit, and what we say is unchanged


def lacking() -> list[str]:
    """Return the Debian packages that the build wants; none where the system is not Linux."""
    if not sys.platform.startswith("linux"):
        return []
    tools = {package for tool, package in TOOLS.items() if shutil.which(tool) is None}
    of_x11 = [package for name, package in libraries.X11.items() if not libraries.loads(name)]  # to be packed, too
    return [*sorted(tools), *libraries.missing(), *of_x11]


def bundle() -> None:
    """Let PyInstaller collect the program."""
    words = ["--noconfirm", "--log-level", "WARN", "--distpath", str(BUILT.parent), "--workpath", str(WORK)]
    subprocess.run([sys.executable, "-m", "PyInstaller", *words, "package/headroom.spec"], cwd=ROOT, check=True)


def strip() -> None:
    """Take the names for debuggers, an eighth of the folder, from what was compiled for Linux."""
    if sys.platform.startswith("linux"):
        paths = [path for path in INNER.rglob("*.so*") if path.is_file() and not path.is_symlink()]
        folders = {path: path.relative_to(INNER).parts for path in paths}
        kept = [path for path, parts in folders.items() if not any(part.endswith(NOT_STRIPPED) for part in parts)]
        subprocess.run(["strip", "--strip-unneeded", *kept], check=True)


def compile_kernels() -> None:
    """Lay the compiled kernels into the folder in which the program looks for them first."""
    from simulator import library

    library.make(INNER / "simulator" / library.beside().relative_to(library.HERE))


def add_papers() -> None:
    """Add what a user reads: licence, notices and documentation."""
    for name in ("LICENSE", "README.md", "SECURITY.md"):
        shutil.copy(ROOT / name, BUILT)
    shutil.copytree(ROOT / "docs", BUILT / "docs", ignore=shutil.ignore_patterns("screenshots"), dirs_exist_ok=True)
    (BUILT / NOTICES).write_text(notices(WORK / "headroom" / "collected.txt"), encoding="utf-8")


def write_bill(path: Path) -> None:
    """Write all packages of the build with versions, origins and digests as CycloneDX, which scanners read."""
    words = ["export", "--locked", "--no-dev", "--group", "package", "--format", "cyclonedx1.5", "--quiet"]
    subprocess.run(
        [_uv(), *words, "--preview-features", "sbom-export", "--output-file", str(path)], cwd=ROOT, check=True
    )


def _uv() -> str:
    return os.environ.get("UV") or shutil.which("uv") or "uv"


def try_without_window() -> None:
    """Install the program without any extra, apart from all else, and let it simulate and write a report."""
    with TemporaryDirectory() as place:
        written = [str(Path(place, name)) for name in ("run.txt", "run.pdf")]
        words = ["run", "--isolated", "--locked", "--no-dev", "python", "-c", BARE, *written]
        subprocess.run([_uv(), *words], cwd=ROOT, check=True)


def size() -> str:
    """Return what the folder holds, in words."""
    files = [path for path in BUILT.rglob("*") if path.is_file() and not path.is_symlink()]
    return f"{len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB"


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the steps of a build, with what each does."""
    yield "collect the program", bundle
    yield "strip it", strip
    yield "compile the kernels", compile_kernels
    yield "add licences and documentation", add_papers
    yield "write the bill of software", lambda: write_bill(BUILT / BILL)
    yield "try the command installed without the window", try_without_window


def main() -> int:
    """Build and drive; 0 it is built and works, 1 it does not, 2 it cannot be built."""
    wanting = lacking()
    if wanting:
        print(f"package: the build needs, as root: {libraries.install_line(wanting)}", file=sys.stderr)
        return 2
    try:
        for title, step in steps():
            start = time.monotonic()
            step()
            print(f"{time.monotonic() - start:6.0f} s  {title}", flush=True)
    except UnclearError as error:
        print(f"package: no licence notices: {error}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        return error.returncode
    print(f"{BUILT.relative_to(ROOT)}: {size()}", flush=True)
    return drive.main([str(BUILT)])


if __name__ == "__main__":
    sys.exit(main())
