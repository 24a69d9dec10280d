"""`simulate calibrate`: from the output of dd, iozone, iperf3 and fio to parts of a profile, a case of an import."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.terminal import mention, say
from app.cli.values import OneOf

if TYPE_CHECKING:
    from app.planning.calibrating import Wanted
    from models.problem import Problem

EPILOG = """\b
Examples:
  simulate calibrate dd-read.txt dd-write.txt iozone.txt --capacity '2 TB' --output my-hdd.toml
  simulate calibrate fio.json iperf3.json --name my-nvme --output my-nvme.toml --server-output my-server.toml"""
OUTPUT, SERVER = "--output", "--server-output"


@click.command("calibrate", epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--name", metavar="NAME", help="Name of the drive; default: the output file's.")
@click.option("--output", metavar="FILE", help="Write the drive part to this file.")
@click.option("--server-output", metavar="FILE", help="Write the tables [nic] and [controller] to this file.")
@click.option("--technology", type=OneOf(["hdd", "ssd", "nvme"]), help="Default: the kind that the rates suggest.")
@click.option("--direction", type=OneOf(["read", "write"]), help="Direction of dd output that lacks its command line.")
@click.option("--capacity", metavar="SIZE", help="Size of the drive, such as '2 TB'; no benchmark measures it.")
@click.option("--seek-time", metavar="TIME", help="Seek time of a hard drive, such as '8.5 ms'.")
@click.option("--like", metavar="NAME|PATH", help="Drive part for what is not measured; default: hdd, ssd or nvme.")
@click.option("--origin", metavar="TEXT", default="", help="Machine, date or document, to stand in each source.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def command(**options: Any) -> None:
    """Turn measurements of drives and networks into parts of a profile, as `simulate import --drive` does.

    Reads the output of dd, iozone -t, iperf3 (text or -J) and fio --output-format=json, told by their content; fits
    the drive, controller and network models; prints the fit with its residuals.
    """
    from app.planning.calibrating import Wanted

    named = {OUTPUT: options.pop("output"), SERVER: options.pop("server_output")}
    outputs = {option: name for option, name in named.items() if name is not None}
    force, name = options.pop("force"), options.pop("name")
    drive = outputs.get(OUTPUT, "-")
    wanted = Wanted(**options, name=name or ("" if drive == "-" else Path(drive).stem))
    calibrate(wanted, outputs, force=force)


def calibrate(wanted: Wanted, outputs: Mapping[str, str], *, force: bool) -> None:
    """Read, fit, print and write the parts to their files, by option.

    Raises:
        ProblemError: with all that is wrong with the request or the files, or an output has nothing to hold.
    """
    from app.cli.output import STDOUT, write
    from app.planning.calibrating import calibrated
    from app.reports.calibration_document import document

    report = calibrated(wanted, _output_problems(wanted, outputs, force=force))
    parts = {OUTPUT: report.drive, SERVER: report.server}
    _check_parts(outputs, parts)
    is_piped = STDOUT in outputs.values()
    say(document(report), err=is_piped)
    for option, name in outputs.items():
        write(name, parts[option], option)
        if name != STDOUT:
            mention(f"written: {name}", err=is_piped)


def _output_problems(wanted: Wanted, outputs: Mapping[str, str], *, force: bool) -> Iterator[Problem]:
    """Yield what stands in the way of the outputs, so that nothing is read in vain."""
    from app.cli.output import STDOUT, check_writable
    from models.problem import Problem, ProblemError

    for option, name in outputs.items():
        if name != STDOUT and Path(name).is_file() and not force:
            yield Problem("", None, option, f"'{name}' exists; use --force to overwrite it")
    try:
        check_writable(list(outputs.items()))
    except ProblemError as error:
        yield from error.problems


def _check_parts(outputs: Mapping[str, str], parts: Mapping[str, str]) -> None:
    from models.problem import Problem, ProblemError

    wants = {OUTPUT: "runs of drives", SERVER: "runs of a network, and no ceiling of a controller shows"}
    problems = [
        Problem("", None, option, f"nothing to write: the files contain no {wants[option]}")
        for option in outputs
        if not parts.get(option)
    ]
    if problems:
        raise ProblemError(problems)
