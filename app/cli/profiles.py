"""`simulate profiles`: what ships, and one profile with every number, its unit and its source."""

from __future__ import annotations

from typing import Any

import click

from app.cli import options as shared


@click.command("profiles")
@click.argument("name", required=False)
@shared.answered
def command(name: str | None, **options: Any) -> None:
    """List the shipped profiles by family, or show one, by NAME or path, with every number and its source.

    A study is shown with its keys and the command that carries it out.
    """
    from app.cli.reporting import check_files, tell
    from app.planning.listing import listed, parts, shown, shown_study, studies
    from app.planning.loading import choose
    from app.planning.studies import study_model
    from app.reports.library import profile_pages

    check_files(options)
    if name is None:
        page = text = profile_pages.whole_list(listed(), studies(), parts())
    elif model := study_model(name):
        page = text = profile_pages.whole_study(shown_study(name, model))
    else:
        profile = shown(choose(name))
        page, text = profile_pages.whole_profile(profile), profile_pages.brief_profile(profile)
    tell(options, page, text=text, sheet=page)
