"""`simulate calibrate`: from the output of dd, iozone, iperf3 and fio to parts of a profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.terminal import say

if TYPE_CHECKING:
    from models.hardware.calibration import Fit
    from models.hardware.drive import Drive
    from models.hardware.measurement import Run
    from models.problem import Problem
    from profiles.imports.finding import Finding
    from profiles.imports.part import Value
    from profiles.loader import Loaded

EPILOG = """\b
Examples:
  simulate calibrate dd-read.txt dd-write.txt iozone.txt --capacity '2 TB' --output my-hdd.toml
  simulate calibrate fio.json iperf3.json --name my-nvme --output my-nvme.toml --server-output my-server.toml"""


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for, as typed."""

    files: tuple[str, ...]
    name: str | None = None
    output: str | None = None
    server_output: str | None = None
    technology: Any = None
    direction: Any = None
    capacity: str | None = None
    seek_time: str | None = None
    like: str | None = None
    origin: str = ""
    force: bool = False

    @property
    def outputs(self) -> list[tuple[str, str]]:
        """Return the files to write, each with its option."""
        named = (("--output", self.output), ("--server-output", self.server_output))
        return [(option, name) for option, name in named if name is not None]

    @property
    def title(self) -> str:
        """Return the name of the drive part: as given, else that of its file."""
        return self.name or (Path(self.output).stem if self.output and self.output != "-" else "")


@click.command("calibrate", epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--name", metavar="NAME", help="Name of the drive; default: the output file's.")
@click.option("--output", metavar="FILE", help="Write the drive part to this file.")
@click.option("--server-output", metavar="FILE", help="Write the tables [nic] and [controller] to this file.")
@click.option(
    "--technology", type=click.Choice(["hdd", "ssd", "nvme"]), help="Default: the kind that the rates suggest."
)
@click.option(
    "--direction", type=click.Choice(["read", "write"]), help="Direction of dd output that lacks its command line."
)
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
    calibrate(Request(**options))


def calibrate(request: Request) -> None:
    """Read, fit, print and write.

    Raises:
        ProblemError: with all that is wrong with the request or the files.
    """
    from models.hardware.calibration import fit
    from models.problem import ProblemError

    seek_time, readings = _prepared(request)
    try:
        fitted = fit([run for reading in readings for run in reading.runs], request.technology, seek_time)
    except ProblemError as error:
        raise ProblemError([*error.problems, *_warnings(readings)]) from None
    _deliver(request, readings, fitted)


def _prepared(request: Request) -> tuple[float | None, Sequence[Finding]]:
    """Return the stated seek time (s) and what the files say.

    Raises:
        ProblemError: with every option that cannot be followed and every file that cannot be read.
    """
    from models.problem import ProblemError
    from profiles.imports.reading import read_files

    problems = [*_output_problems(request)]
    seek_time = _quantity("--seek-time", request.seek_time, "s", problems)
    _quantity("--capacity", request.capacity, "B", problems)
    readings: Sequence[Finding] = ()
    try:
        readings = read_files(request.files, request.direction)
    except ProblemError as error:
        problems += error.problems
    if problems:
        raise ProblemError(problems)
    return seek_time, readings


def _quantity(option: str, text: str | None, unit: str, problems: list[Problem]) -> float | None:
    """Return a positive quantity of the command line, None if it is not given or added to the problems."""
    from models import units
    from models.problem import Problem, RefusalError

    if text is None:
        return None
    try:
        value = units.parse(text, unit)
    except RefusalError as error:
        problems.append(Problem("", None, option, str(error)))
        return None
    if value <= 0:
        problems.append(Problem("", None, option, f"must be greater than 0 (got '{text}')"))
    return value


def _output_problems(request: Request) -> Iterator[Problem]:
    """Yield what stands in the way of the outputs, so that nothing is read in vain."""
    from app.cli.output import STDOUT, check_writable
    from models.problem import Problem, ProblemError

    inputs = {Path(name).resolve() for name in request.files}
    for option, name in request.outputs:
        if name != STDOUT and Path(name).resolve() in inputs:
            yield Problem("", None, option, f"'{name}' is one of the measurements; write to another file")
        elif name != STDOUT and Path(name).is_file() and not request.force:
            yield Problem("", None, option, f"'{name}' exists; use --force to overwrite it")
    try:
        check_writable(request.outputs)
    except ProblemError as error:
        yield from error.problems


def _deliver(request: Request, readings: Sequence[Finding], fitted: Fit) -> None:
    """Print the report and write the parts.

    Raises:
        ProblemError: an output has nothing to hold, the part to take the rest from is wrong, or a file fails.
    """
    from app.cli.output import STDOUT, write
    from profiles.imports.part import drive_part, drive_values, server_part

    values: Mapping[str, Value] = {}
    parts = {"--server-output": server_part(fitted, request.origin)}
    if fitted.kind:
        other = _like(request.like or fitted.kind.technology)
        values = drive_values(fitted, other, request.capacity, request.origin)
        parts["--output"] = drive_part(request.title, fitted, values, request.origin)
    _check_parts(request, parts)
    is_piped = STDOUT in dict(request.outputs).values()
    say(_report(request, readings, fitted, values, parts["--server-output"]), nl=False, err=is_piped)
    for option, name in request.outputs:
        write(name, parts[option], option)
        if name != STDOUT:
            say(f"written: {name}", err=is_piped)


def _like(name: str) -> Loaded[Drive]:
    """Return the drive part of a name or path.

    Raises:
        ProblemError: there is none, or it is wrong.
    """
    from models.problem import ProblemError
    from profiles.imports.part import like

    try:
        return like(name)
    except ProblemError as error:
        raise ProblemError(replace(each, key=each.key or "--like") for each in error.problems) from None


def _check_parts(request: Request, parts: Mapping[str, str]) -> None:
    from models.problem import Problem, ProblemError

    wants = {"--output": "runs of drives", "--server-output": "runs of a network, and no ceiling of a controller shows"}
    problems = [
        Problem("", None, option, f"nothing to write: the files contain no {wants[option]}")
        for option, _ in request.outputs
        if not parts.get(option)
    ]
    if problems:
        raise ProblemError(problems)


def _report(
    request: Request, readings: Sequence[Finding], fitted: Fit, values: Mapping[str, Value], server: str
) -> str:
    """Return the text: every measurement beside the fitted model, the drive, the tables of the server, what to know."""
    blocks = [_measurements(readings, fitted)]
    if fitted.kind:
        heading = f"Drive {request.title}".rstrip()
        blocks.append([f"{heading}: {fitted.kind.technology} ({fitted.kind.reason})", *_numbers(values)])
    if server:
        blocks.append(["Server:", *(f"  {line}".rstrip() for line in server.rstrip().split("\n"))])
    if known := [*_warnings(readings), *fitted.notes, *_unstated(request, values)]:
        blocks.append(["Notes:", *(f"  {note}" for note in known)])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _measurements(readings: Sequence[Finding], fitted: Fit) -> list[str]:
    from app.reports.tables import text_table

    lines = []
    for reading in readings:
        lines.append(f"{reading.file} ({', '.join(reading.formats)})")
        header = ["measures", ">value", ">model", ">residual", ">p50", ">p99"]
        rows = [_row(run, fitted) for run in reading.runs]
        width = len(header) if any(row[-1] for row in rows) else len(header) - 2
        lines += text_table(header[:width], [row[:width] for row in rows], "  ") if rows else ["  nothing to use"]
    return lines


def _row(run: Run, fitted: Fit) -> list[str]:
    """Return a run beside the model, with its times of one request if it has them."""
    from app.reports.words import signed_percent
    from models.hardware.measurement import DriveRun
    from models.units import format

    model = fitted.predict(run)
    shown = ("-", "-") if model is None else (_rate(run, model), signed_percent(model / run.rate - 1))
    times = run.latency if isinstance(run, DriveRun) and run.latency else ()
    return [str(run), _rate(run, run.rate), *shown, *([format(time, "s", 3) for time in times] or ["", ""])]


def _rate(run: Run, rate: float) -> str:
    """Return a rate as people quote it: of a network in bits, of a drive in bytes."""
    from models.hardware.measurement import NetworkRun
    from models.units import format

    return f"{8 * rate / 1e9:.4g} Gbit/s" if isinstance(run, NetworkRun) else format(rate, "B/s")


def _numbers(values: Mapping[str, Value]) -> list[str]:
    from app.reports.tables import text_table

    return text_table(["key", ">value", "source"], [[key, each.text, each.brief] for key, each in values.items()], "  ")


def _unstated(request: Request, values: Mapping[str, Value]) -> Iterator[Problem]:
    """Yield a note if the size of the drive was taken from another drive without being asked to."""
    from models.problem import Problem

    if "capacity" in values and not (request.capacity or request.like):
        message = f"{values['capacity'].text} is the size of another drive; state --capacity '2 TB', or --like NAME"
        yield Problem("", None, "capacity", message)


def _warnings(readings: Sequence[Finding]) -> list[Problem]:
    return [warning for reading in readings for warning in reading.warnings]
