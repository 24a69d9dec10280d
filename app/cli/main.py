"""The `simulate` command: its own options run one profile; commands of the same name as their module do the rest.

A command's module is imported when the command is used, so `simulate --help` needs click and nothing else.
Exit status: 0 done, 1 the answer is no, 2 the input is wrong, 70 a fault of the program,
130 cancelled by Ctrl+C or SIGTERM.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from app.cli.failures import CANCELLED, status_of
from app.cli.options import interval, locale, reports
from app.cli.values import OneOf, Whole
from simulator.interrupts import ENDING, meet, meet_dropped

COMMANDS = {
    "accept": "Say what a delivered cluster has to reach, and if it does.",
    "bill": "Say what has to be bought, and how it stands in racks.",
    "calibrate": "Turn fio, iperf3, dd or iozone output into a profile.",
    "capacity": "Say what a cluster holds, and when it is full.",
    "check": "Check profiles without running them.",
    "compare": "Put profiles side by side, what differs first.",
    "demo": "Compare HDFS with MinIO on the documented 12 nodes.",
    "durability": "Say how long until data is lost, and what may fail.",
    "fit": "Derive the fitted numbers again from documented outcomes.",
    "import": "Make profiles of your own files, measured beside simulated.",
    "lint": "Say what is unwise in a design, with sources.",
    "plan": "Find which candidate meets a customer's requirements.",
    "prices": "Turn quotations into price lists, and rank them.",
    "profiles": "List the shipped profiles, or show one with its sources.",
    "purchase": "Say what to buy in which quarter as data grows.",
    "reference": "Print every key of a profile as a Markdown page.",
    "replay": "Run observed work on other hardware and storage.",
    "report": "Write the planning report of a profile.",
    "schema": "Print the JSON Schema of what `--format json` prints.",
    "sensitivity": "Say what an answer depends on.",
    "size": "Find the least configuration that meets several targets.",
    "sweep": "Vary keys of a profile and simulate every point.",
    "track": "Put a forecast beside what was measured since.",
    "upkeep": "Say what repair policies and maintenance cost and do.",
    "validate": "Re-run the documented benchmarks and say how far off each is.",
}
MODULES = {"import": "importing"}
"""Modules of commands whose name is a word of Python's own."""
HEADING = "Headroom simulates a cluster: how long a workload takes, what limits it, and why."
EXAMPLES = """\b
Examples:
  simulate hdfs-terasort
  simulate hdfs-terasort --set cluster.groups.workers.count=24
  simulate my-cluster.toml --replications 10 --format json
  simulate profiles"""


class Commands(click.Group):
    """The table of commands; each is the attribute `command` of the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"app.cli.{MODULES.get(cmd_name, cmd_name)}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take a profile where a command may stand as what a run is of; names of commands win.

        Raises:
            UsageError: the profile follows `--profile` as well, or there is another one.
        """
        before, rest, _ = self.make_parser(ctx).parse_args(list(args))
        if not rest or not _is_profile(rest[0]):
            return super().parse_args(ctx, args)
        word, *after = rest
        behind, more, _ = self.make_parser(ctx).parse_args(list(after))
        if named := {**before, **behind}.get("profile"):
            from app.cli.options import given_twice

            raise given_twice(word, named, ctx)
        if more and _is_profile(more[0]):
            raise click.UsageError(
                f"a run takes one profile (got '{word}' and '{more[0]}'); 'compare' takes several", ctx
            )
        return super().parse_args(ctx, ["--profile", word, *args[: len(args) - len(rest)], *after])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name.

        Raises:
            NoSuchCommand: none does; with the nearest command or profile, or how a profile is run.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand:
            from difflib import get_close_matches

            from profiles.loading.catalog import PROFILES, names

            known = [*COMMANDS, *(name for folder in PROFILES for name in names(folder))]
            message = f"{args[0]}: neither a command nor a shipped profile"
            if not get_close_matches(args[0], known):
                profile = next(filter(_is_profile, args[1:]), "PROFILE")
                message += f"; a profile is run by its name alone, simulate {profile}, a file by one that ends in .toml"
            raise click.exceptions.NoSuchCommand(args[0], message, known, ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table from what is known here, so that no module is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


def _is_profile(word: str) -> bool:
    """Tell whether a word is no command, but names a profile: one that ships, or a TOML file."""
    if word in COMMANDS:
        return False
    from profiles.loading.catalog import PROFILES, SHIPPED, STUDIES
    from profiles.plans.candidates import split

    return word.endswith(".toml") or split(word) is not None or SHIPPED.find(word, (*PROFILES, STUDIES)) is not None


@click.group(
    cls=Commands,
    invoke_without_command=True,
    no_args_is_help=True,
    subcommand_metavar="[PROFILE | COMMAND ...]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=HEADING,
    epilog=EXAMPLES,
)
@click.option("--profile", metavar="NAME|PATH", help="The PROFILE to run, as an option: a shipped name or a TOML file.")
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change one value or part of the profile; repeatable."
)
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Seed of all random numbers.")
@click.option(
    "--replications",
    type=Whole(min=1),
    default=1,
    show_default=True,
    help="Runs, each with its own random numbers.",
)
@click.option(
    "--tolerance",
    metavar="PART",
    help="Part of a work that may be left undone, up to 0.1%; 0 is exact, with each of thousands of servers.",
)
@interval()
@click.option(
    "--format",
    "format_",
    type=OneOf(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="Form of the answer.",
)
@click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
@reports
@locale
@click.option("--debug", is_flag=True, help="Show the traceback of a fault of the program.")
@click.version_option(package_name="headroom", prog_name="headroom")
@click.pass_context
def simulate(context: click.Context, /, **options: Any) -> None:
    """Run one profile, unless a command is named."""
    if context.invoked_subcommand is None:
        from app.cli.run import Request, run

        del options["debug"]
        run(Request.of(**options))
    elif stray := _stray_options(context):
        command = context.invoked_subcommand
        raise click.UsageError(f"{stray} belongs to a run; give it without '{command}', or after it", context)
    else:
        gc.enable()  # a command may simulate often


def _stray_options(context: click.Context) -> str | None:
    """Return the first option of a run that was given before a command's name."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and parameter.name != "debug":
            return f"'{parameter.opts[0]}'"
    return None


def execute(arguments: Sequence[str]) -> int:
    """Carry out a command line and return its exit status; `--debug` may stand anywhere in it."""
    debug = "--debug" in arguments
    rest = [argument for argument in arguments if argument != "--debug"]
    return status_of(lambda: _invoke(rest), debug=debug)


def _invoke(arguments: list[str]) -> int:
    with simulate.make_context("simulate", arguments) as context:
        status = simulate.invoke(context)
    return status if isinstance(status, int) else 0


def _open_streams() -> None:
    """Let a stream without which the process was started lead nowhere: a file would take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8"))


def main() -> NoReturn:
    """Carry out the command line of this process.

    Python looks for no cyclic garbage in a run, nor at the end of the process, when all memory is given back at once:
    it took 0.15 s of a small run, and 1 s of one on 1,000 servers. OpenBLAS, which numpy brings, starts no threads:
    nothing multiplies matrices so large that they would help, and they took 0.06 s of each process. Pydantic looks for
    plugins in no package: none of ours has one, and it opened all that are installed.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _open_streams()
    gc.disable()
    for number in ENDING:  # SIGTERM ends a command as Ctrl+C does
        if signal.getsignal(number) != signal.SIG_IGN:  # as `nohup` and shells ask of what runs in the background
            signal.signal(number, meet)
    sys.unraisablehook = meet_dropped
    status = execute(sys.argv[1:])
    gc.freeze()
    if status == CANCELLED:
        # CPython ends by SIGINT where a KeyboardInterrupt once passed through an exec of text, as dataclasses do when
        # they are imported, though it was caught since: the next exec of text forgets it.
        exec("")
    sys.exit(status)
