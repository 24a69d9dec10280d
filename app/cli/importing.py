"""`simulate import`: from files of the user's own systems to profiles, and measured beside simulated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import interval, several
from app.cli.terminal import put, say
from app.cli.values import OneOf

if TYPE_CHECKING:
    from app.reports.import_document import ImportReport


def _print_collector(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """Print the collector and end."""
    if is_asked:
        from profiles.imports.reading import COLLECTOR

        put(COLLECTOR.read_text(encoding="utf-8"))
        context.exit()


EPILOG = """\b
Examples:
  simulate import lscpu.json lsblk.json iperf3.json --check
  simulate import headroom-collect.tar.gz warp.json.zst --output my-cluster"""


@click.command("import", epilog=EPILOG)
@click.argument("files", metavar="FILE|FOLDER...", nargs=-1, required=True)
@click.option(
    "--collector",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_collector,
    help="Print the script that gathers what servers say of themselves, to be run there with sh.",
)
@click.option("--output", "folder", metavar="FOLDER", help="Write the profiles into this folder.")
@click.option("--check", is_flag=True, help="Only say what the files are and what they hold; write and run nothing.")
@click.option("--drive", metavar="FILE", help="Write only the drive that is fitted to rates, as a part, to this file.")
@click.option(
    "--server", metavar="FILE", help="Write only the card and controller that are fitted, as parts, to this file."
)
@click.option("--direction", type=OneOf(["read", "write"]), help="Direction of dd output without its command.")
@click.option("--background", is_flag=True, help="Keep how busy servers were as what others use, beside the work.")
@click.option("--force", is_flag=True, help="Overwrite profiles in the folder.")
@interval()
@several(shared.seed, shared.reports, shared.locale)
@click.option("--format", "format_", type=OneOf(["text", "json"]), default="text", show_default=True)
def command(**options: Any) -> int:
    """Make profiles of what your systems say: inventories, benchmarks, logs and counters, told by their content.

    Runs each profile and puts what was measured beside what is simulated. Exit status 1 if a file is wrong, the rest of
    which is read, or a profile that was made cannot be run.
    """
    from app.cli.output import check_writable
    from app.cli.progress import counted
    from app.cli.reporting import check_forms, write_reports
    from app.planning.importing import read, run
    from app.reports.import_document import document
    from app.reports.json_text import dumps
    from models.problem import Problem, ProblemError

    if options["drive"] or options["server"]:
        _parts(options)
        return 0
    check_forms(options["reports"])
    check_writable([("--report", name) for name in options["reports"]])
    if not options["check"] and not options["folder"]:
        raise ProblemError([Problem("", None, "--output", "missing: name a folder for profiles, or state --check")])
    report, made = read(options["files"], options["direction"], counted, with_background=options["background"])
    if not options["check"]:
        report = replace(report, output=options["folder"])
        _write(report, options["folder"], force=options["force"])
        report = run(report, made, seed=options["seed"] or 0, interval=options["interval"], counted=counted)
    page = document(report)
    write_reports(page, options["reports"], options["locale"])
    put(dumps(page.data)) if options["format_"] == "json" else say(page)
    return int(report.is_wrong)


def _parts(options: dict[str, Any]) -> None:
    """Write what is fitted to rates of drives and networks as parts, as `simulate calibrate` does with more options."""
    from app.cli.calibrate import OUTPUT, SERVER, calibrate
    from app.planning.calibrating import Wanted
    from models.problem import Problem, ProblemError

    if options["folder"] or options["check"] or options["reports"]:
        message = "writes parts and no profile; leave out --output, --check and --report"
        raise ProblemError([Problem("", None, "--drive" if options["drive"] else "--server", message)])
    named = {OUTPUT: options["drive"], SERVER: options["server"]}
    outputs = {option: name for option, name in named.items() if name is not None}
    drive = outputs.get(OUTPUT, "-")
    wanted = Wanted(options["files"], "" if drive == "-" else Path(drive).stem, direction=options["direction"])
    calibrate(wanted, outputs, force=options["force"])


def _write(report: ImportReport, folder: str, *, force: bool) -> None:
    from app.cli.output import check_writable, made_folder, write
    from models.problem import Problem, ProblemError

    targets = [str(Path(folder) / made.file) for made in report.profiles]
    if there := [name for name in targets if Path(name).exists() and not force]:
        raise ProblemError(Problem("", None, "--output", f"'{name}' exists; use --force") for name in there)
    made_folder(folder, "--output")
    check_writable([("--output", name) for name in targets])
    for name, made in zip(targets, report.profiles, strict=True):
        write(name, made.text)
