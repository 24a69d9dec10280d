"""`simulate upkeep`: repair policies and maintenance, against nines, objectives and cost."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several
from app.cli.values import Amount, Whole

EPILOG = """\b
Examples:
  simulate upkeep durability-hdfs --nines 9
  simulate upkeep durability-minio --vary storage.parity=2,4 --contract 'next day = 24 h'
  simulate upkeep durability-hdfs --maintenance 'refresh = 0.2/y, 8 h' --keep 0"""


@click.command("upkeep", epilog=EPILOG)
@shared.profile
@click.option(
    "--contract",
    "contracts",
    metavar="CONTRACT",
    multiple=True,
    help="'NAME = TIME TO REPLACE, PRICE'; a price is money a server and year, '3 %' of the capital, or '1 spare'.",
)
@shared.varied
@click.option("--nines", type=Amount(), help="Nines of an object over a year that the cheapest policy has to have.")
@click.option(
    "--maintenance",
    "calendars",
    metavar="CALENDAR",
    multiple=True,
    help="'NAME = TIMES A YEAR, TIME A SERVER', such as 'upgrades = 4/y, 20 min'.",
)
@click.option(
    "--keep",
    type=Whole(min=0),
    default=1,
    show_default=True,
    help="Servers that may still fail, whichever, while others are maintained.",
)
@click.option("--run", "runs", is_flag=True, help="Simulate the workload, too: whole, and with a server down.")
@several(shared.changes, shared.seed, shared.answered, shared.workers)
def command(**options: Any) -> None:
    """Say what repair policies and maintenance of a PROFILE cost, and what they do to its data.

    Policies are all contracts with all values of --vary: parity, throttles of the repair. Repairs are simulated.
    """
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.loading import choose
    from app.planning.settings import pairs
    from app.planning.upkeep import asked, study
    from app.reports.upkeep_document import document

    check_files(options)
    plan = asked(choose(options["profile"], pairs(options["settings"])), options)
    page = document(study(plan, options["workers"], counted))
    tell(options, page, text=page, sheet=page.only(["policies", "maintenance"]))
