"""`simulate prices`: from quotations to price lists, and which of them is the cheapest for a profile."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared
from app.cli.options import several
from app.cli.terminal import mention, put


@click.group("prices")
def command() -> None:
    """Turn quotations into price lists, and rank price lists by what a profile costs."""


@command.command("import")
@click.argument("file", metavar="OFFER.xlsx|OFFER.csv")
@click.option("--map", "map_file", metavar="FILE", help="TOML file that says what rows are, where that is asked.")
@click.option("--like", default="on-premises-2024", show_default=True, help="List for what the offer does not say.")
@click.option("--date", help="When the offer is valid: a year, or year and month.", required=True)
@click.option("--currency", help="Currency of amounts that state none.")
@click.option("--rate", "rates", metavar="CUR=AMOUNT", multiple=True, help="Value of a currency: EUR=1.08 USD.")
@click.option("--output", metavar="FILE", help="Write the list to a file instead of the terminal.")
def take(file: str, map_file: str | None, like: str, date: str, output: str | None, **options: Any) -> int:
    """Write the price list that a quotation makes; each price rests on its row.

    No formula is evaluated. Rows that are for no known part are printed with what a --map would say of them, and
    nothing is written. Exit status 1 if there are any.
    """
    from app.cli.output import STDOUT, check_writable, write
    from app.planning.offers import imported
    from app.planning.settings import pairs
    from profiles.offers.maps import read_map

    check_writable([("--output", STDOUT if output is None else output)])
    rules = read_map(map_file) if map_file is not None else {}
    price_list = imported(
        file, like, rules, date, options["currency"], pairs(options["rates"], "--rate", "EUR=1.08 USD")
    )
    if not price_list.text:
        known, asked = price_list.parts, price_list.asked
        mention(f"{known} rows have a part, {len(asked)} do not. Write into a file for --map:", err=True)
        for question in asked:  # TOML, to be put into that file
            put(f"\n# {file}:{question.row.number}: {question.row.text[:80]}\n# {question.why}\n{question.example}\n")
        return 1
    write(output, price_list.text)
    return 0


@command.command("rank")
@click.argument("words", metavar="[PROFILE] LIST...", nargs=-1, required=True)
@click.option("--plan", metavar="PLAN", help="Rank by what meets the requirements of this plan, in place of a profile.")
@several(shared.changes, shared.answered, shared.workers)
def rank(words: tuple[str, ...], **options: Any) -> None:
    """Say what a PROFILE costs by each price list, or what meets a plan by each, the cheapest first."""
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.offers import ranked
    from app.planning.settings import pairs
    from app.reports.offers_document import document, plans

    check_files(options)
    plan, settings = options["plan"], pairs(options["settings"])
    if plan is not None:
        from app.planning.plans.offers_of_plan import answered

        if settings:
            raise click.UsageError("--set changes a profile; change the plan itself")
        page = plans(
            plan, [(priced.prices, priced.answer) for priced in answered(plan, words, options["workers"], counted)]
        )
    else:
        profile, *lists = words
        if not lists:
            raise click.UsageError("name a profile and at least one price list")
        page = document(profile, [(priced.prices, priced.cost) for priced in ranked(profile, settings, lists)])
    tell(options, page, text=page, sheet=page)
