"""How a command ends: its exit status, and one plain message for what went wrong. No traceback for a user's mistake."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

from models.problem import ProblemError, RefusalError, located

WRONG_INPUT = 2
FAULT = 70  # EX_SOFTWARE of sysexits.h
CANCELLED = 130  # 128 + SIGINT, as shells report it


def status_of(action: Callable[[], int], *, debug: bool = False) -> int:
    """Return the exit status of an action, its failure told on stderr; with `debug` a fault shows its traceback."""
    try:
        return action()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except RefusalError as error:
        tell(located(error, ""))
        return WRONG_INPUT
    except KeyboardInterrupt:
        click.echo("Cancelled.", err=True)
        return CANCELLED
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        _tell_fault(error)
        return FAULT


def tell(error: ProblemError) -> None:
    """Print all problems, one a line."""
    for problem in error.problems:
        click.echo(str(problem), err=True)


def _tell_fault(error: Exception) -> None:
    from simulator.fault_log import told

    said = told(error)
    click.echo(f"{said[:1].upper()}{said[1:]}", err=True)
    click.echo("This is a fault of the program, not of the input; --debug shows the traceback here.", err=True)
