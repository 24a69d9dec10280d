"""`simulate schema`: the JSON Schemas of all that is printed as JSON."""

from __future__ import annotations

import click

from app.cli.terminal import say


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the contracts of JSON output, or print the JSON Schema of one, by NAME such as run or headroom.run/1."""
    from app.reports import contracts
    from app.reports.json_text import plain
    from app.reports.tables import text_table

    if name is not None:
        say(plain(contracts.schema(name)), nl=False)
        return
    rows = [
        [name, contracts.id_of(contract), (contract.__doc__ or "").partition(".")[0].partition(";")[0]]
        for name, contract in contracts.CONTRACTS.items()
    ]
    say("\n".join(text_table(("name", "schema", "what it is"), rows)))
