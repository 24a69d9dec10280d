"""How a command ends: its exit status, and one plain message for what went wrong. No traceback for a user's mistake."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable

import click

from app.cli.terminal import put
from app.reports.media import line
from models.problem import Problem, ProblemError, RefusalError, brief, located
from profiles.text.files import why_not
from simulator import interrupts

WRONG_INPUT = 2
FAULT = 70  # EX_SOFTWARE of sysexits.h
CANCELLED = 130  # 128 + SIGINT, as shells report it


def status_of(action: Callable[[], int], *, debug: bool = False) -> int:
    """Return the exit status of an action, its failure told on stderr; with `debug` a fault shows its traceback."""
    try:
        status = action()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        if type(error) is click.BadParameter and error.param is not None:  # a wrong value, not a missing one
            tell(ProblemError([Problem("", None, error.param.opts[0], error.message)]))
            return WRONG_INPUT
        if isinstance(error, click.UsageError):
            from app.cli.usage import misunderstood  # imported late: nearly all command lines are understood

            _complain(misunderstood(error))
            return error.exit_code
        usage = io.StringIO()
        error.show(usage)
        put(brief(usage.getvalue()), err=True)
        return error.exit_code
    except RefusalError as error:
        tell(located(error, ""))
        return WRONG_INPUT
    except KeyboardInterrupt:
        return _cancelled()
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        _lead_nowhere()
        return 0
    except OSError as error:  # the fault of a disk, or of what a stream leads to
        _lead_nowhere()
        _complain(_met_by_the_system(error))
        return WRONG_INPUT
    except Exception as error:
        if interrupts.met():
            return _cancelled()
        if debug:
            raise
        _tell_fault(error)
        return FAULT


def _met_by_the_system(error: OSError) -> str:
    """Return what is said of a fault of a file, a stream, or the current folder, which alone has no name if missing."""
    if isinstance(error, FileNotFoundError) and not error.filename:
        return "the folder in which this was started is gone: change to another one, such as with cd"
    where = f"'{error.filename}'" if error.filename else "the answer could not be written"
    why = why_not(error)
    way_out = "let it be read and written, or" if isinstance(error, PermissionError) else "free some space, or"
    return f"{where}: {why}; {way_out} write elsewhere"


def _cancelled() -> int:
    _complain("Cancelled.")
    return CANCELLED


def _lead_nowhere() -> None:
    """Let what is still to be written to stdout vanish, as Python writes it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(error: ProblemError) -> None:
    """Print all problems, one a line."""
    for problem in error.problems:
        _complain(str(problem))


def _tell_fault(error: Exception) -> None:
    from simulator.fault_log import told

    text = told(error)
    _complain(f"{text[:1].upper()}{text[1:]}")
    _complain("This is a fault of the program, not of the input; --debug shows the traceback here.")


def _complain(text: str) -> None:
    """Print a line on stderr, without the writer of reports: it may be what has failed."""
    put(f"{line(text)}\n", err=True)
