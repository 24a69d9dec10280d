"""Builds the wheel, installs it apart from all else, and uses `import headroom` where a user's files have our names.

    uv run --locked python -m package.wheel

The wheel brings the kernels compiled for machines of the kind that builds it (`package/hook.py`), so that the first run
compiles nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
OURS = ("models.py", "simulator.py", "profiles.py", "app/__init__.py", "app/planning.py")
STUDY = """
import headroom
profile = headroom.load("hdfs-terasort", {"workload.input": "1 GB"})
sweep = profile.sweep({"cluster.groups.workers.count": [4, 6]}, workers=2, store="points.sqlite")
assert all(point.duration > 0 for point in sweep.points)
"""
NAMESAKES = """
import app.planning, models, profiles, simulator
assert {app.planning.WHOSE, models.WHOSE, profiles.WHOSE, simulator.WHOSE} == {"the user's"}
"""
TYPED = 'import headroom\nseconds: float = headroom.load("hdfs-terasort").run(seed=0).duration\n'


def main() -> int:
    """Build, install and try; 0 if all of it works."""
    uv = os.environ.get("UV") or shutil.which("uv") or "uv"
    outside = {key: value for key, value in os.environ.items() if not key.startswith(("VIRTUAL_ENV", "PYTHON", "UV_"))}
    with TemporaryDirectory() as place:
        folder = Path(place)
        python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        run([uv, "build", "--wheel", "--out-dir", place], ROOT, outside)
        run([uv, "venv", "--python", sys.executable, str(folder / "venv")], folder, outside)
        (wheel,) = folder.glob("*.whl")
        run([uv, "pip", "install", "--python", str(python), str(wheel), "mypy"], folder, outside)
        use(python, folder / "user", outside | {"XDG_CACHE_HOME": str(folder / "cache")})
        if list((folder / "cache").rglob("*.so")):
            print("the kernels that the wheel brings were compiled anew", file=sys.stderr)
            return 1
    print("the wheel works beside files of the user's that have our names")
    return 0


def use(python: Path, folder: Path, environment: dict[str, str]) -> None:
    """Import ours and the user's in both orders, in a script, a command and what a notebook does, and check types."""
    (folder / "app").mkdir(parents=True)
    for name in OURS:
        (folder / name).write_text('WHOSE = "the user\'s"\n', encoding="utf-8")
    (folder / "study.py").write_text(NAMESAKES + STUDY, encoding="utf-8")
    (folder / "typed.py").write_text(TYPED, encoding="utf-8")
    executed = "exec(open('study.py').read(), {'__name__': '__main__'})"
    for words in (["study.py"], ["-c", STUDY + NAMESAKES], ["-c", executed], ["-m", "mypy", "--strict", "typed.py"]):
        run([str(python), *words], folder, environment)


def run(words: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Carry out a command in a folder.

    Raises:
        CalledProcessError: it fails.
    """
    print(Path(words[0]).name, *words[1:3], flush=True)
    subprocess.run(words, cwd=folder, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
