"""Starts and drives a packaged program: `python -m package.drive [FOLDER]`, by default dist/headroom.

Every command is carried out twice, by the packaged program and from source: status, output and written files must be
the same to the byte. Then the window opens all pages and simulates, without a screen and, where there is Xvfb, on one.
The packaged program runs with nothing of this environment, in a home of its own; it must leave its folder as it is,
and need not compile a kernel.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
SUFFIX = ".exe" if os.name == "nt" else ""
OURS = ("PYTHON", "VIRTUAL_ENV", "UV", "NUMBA", "QT_", "XDG_", "DISPLAY", "WAYLAND")
HOMES = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")

SMALL = ("--profile", "hdfs-terasort", "--set", "workload.input=10 GB")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("--profile", "hdfs-terasort"),
    ("--profile", "hdfs-terasort", "--format", "json"),
    ("--profile", "get-minio-nvme", "--format", "json"),
    (*SMALL, "--report", "run.pdf", "--report", "run.html", "--report", "run.xlsx", "--report", "run.md"),
    (*SMALL, "--locale", "de-CH", "--report", "run.pptx", "--report", "run.csv", "--report", "run.md"),
    (*SMALL, "--locale", "ar-EG", "--report", "run.html"),
    (*SMALL, "--locale", "no-such-locale", "--report", "run.html"),
    ("demo", "--workers", "2"),
    ("sweep", *SMALL[:2], "--vary", "workload.input=5 GB,10 GB,20 GB", "--workers", "2", "--output", "points.xlsx"),
    ("sensitivity", *SMALL[:2], "--input", "workload.input=5 GB..10 GB", "--sobol", "8", "--workers", "2"),
    ("fit", "--family", "copy"),
    ("profiles", "hdfs-terasort"),
    ("reference",),
    ("capacity", "growth-hdfs"),
    ("durability", "durability-hdfs"),
    ("lint", "minio-terasort"),
    ("purchase", "growth-hdfs", "--set", "growth.months=48", "--report", "purchase.pdf"),
    ("validate", "--family", "sizing", "--svg", "parity.svg"),
    ("calibrate", str(ROOT / "profiles" / "library" / "measurements" / "examples" / "hdd-iozone.txt")),
    ("--profile", "no-such-profile"),
)


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a program: status, what it printed, the files that it wrote, and seconds."""

    status: int
    out: bytes
    err: bytes
    files: dict[str, bytes]
    seconds: float


class Driver:
    """Runs the packaged program and the source, each with a home of its own under `place`."""

    def __init__(self, built: Path, place: Path) -> None:
        self.built = built
        self.place = place

    def packed(self, program: str, *words: str, screen: Sequence[str] = ()) -> Ended:
        """Run an executable of the folder; `screen` is what gives it one."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        return self._run(
            [*screen, str(self.built / f"{program}{SUFFIX}"), *words], self._at_home(kept, "packed", screen)
        )

    def source(self, module: str, *words: str) -> Ended:
        """Run a module of the source."""
        environment = self._at_home(dict(os.environ), "source") | {"PYTHONPATH": str(ROOT)}
        return self._run([sys.executable, "-m", module, *words], environment)

    @property
    def home(self) -> Path:
        """The home of the packaged program."""
        return self.place / "packed"

    def _at_home(self, environment: dict[str, str], home: str, screen: Sequence[str] = ()) -> dict[str, str]:
        variables = environment | dict.fromkeys(HOMES, str(self.place / home))
        return variables if screen else variables | {"QT_QPA_PLATFORM": "offscreen"}

    def _run(self, command: Sequence[str], environment: dict[str, str]) -> Ended:
        Path(environment["HOME"]).mkdir(exist_ok=True)
        with TemporaryDirectory(dir=self.place) as folder:
            start = time.monotonic()
            ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
            seconds = time.monotonic() - start
            files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
        return Ended(ended.returncode, ended.stdout, ended.stderr, files, seconds)


def differences(packed: Ended, source: Ended) -> list[str]:
    """Return in what two runs of the same command differ."""
    unlike = [name for name in ("status", "out", "err") if getattr(packed, name) != getattr(source, name)]
    names = sorted(packed.files.keys() | source.files.keys())
    return unlike + [name for name in names if packed.files.get(name) != source.files.get(name)]


def drive(driver: Driver) -> Iterator[tuple[str, str, Ended]]:
    """Yield what was tried, what was wrong with it, "" if nothing, and the packaged run."""
    for words in COMMANDS:
        packed, source = driver.packed("simulate", *words), driver.source("app", *words)
        yield f"simulate {' '.join(words)}", ", ".join(differences(packed, source)), packed
    source = driver.source("app.gui.main", "--check")
    for screen in screens():
        packed = driver.packed("headroom", "--check", screen=screen)
        wrong = ", ".join(differences(packed, source)) or ("" if packed.status == 0 else "status")
        yield f"{' '.join([*screen, ''])}headroom --check", wrong, packed


def screens() -> Iterator[tuple[str, ...]]:
    """Yield what to start the window with: nothing, and what brings a screen where that is installed."""
    yield ()
    if shutil.which("xvfb-run"):
        yield ("xvfb-run", "-a")


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Return all files of a folder with their sizes and times."""
    files = ((path, path.stat()) for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): (stat.st_size, stat.st_mtime_ns) for path, stat in files}


def kernels(folder: Path) -> set[str]:
    """Return the names of the compiled kernels anywhere in a folder."""
    return {path.name for path in folder.glob("**/kernels/*/*o")}


def main(arguments: Sequence[str]) -> int:
    """Drive a packaged program; 0 it works as the source does, 1 it does not."""
    built = Path(arguments[0]).absolute() if arguments else ROOT / "dist" / "headroom"
    before, wrong = listing(built), []
    with TemporaryDirectory() as place:
        driver = Driver(built, Path(place))
        for tried, differing, packed in drive(driver):
            print(f"{packed.seconds:6.1f} s  {tried}{f': differs in {differing}' if differing else ''}", flush=True)
            if differing:
                print(packed.err.decode(errors="replace")[-2000:], file=sys.stderr)
                wrong.append(tried)
        if kernels(driver.home) or not kernels(built):
            wrong.append("the program compiled kernels, or has none")
    if listing(built) != before:
        wrong.append("the program changed its own folder")
    print(f"{len(wrong)} wrong: {'; '.join(wrong)}" if wrong else "all as from source")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
