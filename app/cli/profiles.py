"""`simulate profiles`: what ships, and one profile with every number, its unit and its source."""

from __future__ import annotations

import click

from app.cli.terminal import say


@click.command("profiles")
@click.argument("name", required=False)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(name: str | None, format_: str) -> None:
    """List the shipped profiles by family, or show one, by NAME or path, with every number and its source.

    A study is shown with its keys and the command that carries it out.
    """
    from app.planning.listing import listed, parts, shown, shown_study, studies
    from app.planning.loading import choose
    from app.planning.studies import study_model
    from app.reports import profile_json, profile_pages

    form = {"text": profile_pages, "json": profile_json}[format_]
    if name is None:
        text = form.render_list(listed(), studies(), parts())
    elif model := study_model(name):
        text = form.render_study(shown_study(name, model))
    else:
        text = form.render_profile(shown(choose(name)))
    say(text, nl=False)
