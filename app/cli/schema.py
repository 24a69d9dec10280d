"""`simulate schema`: the JSON Schemas of all that is printed as JSON."""

from __future__ import annotations

import click

from app.cli.terminal import put, say


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the contracts of JSON output, or print the JSON Schema of one, by NAME such as run or headroom.run/1."""
    from app.reports import contracts
    from app.reports.contract_list import document
    from app.reports.json_text import plain

    if name is None:
        say(document())
    else:
        put(plain(contracts.schema(name)))
