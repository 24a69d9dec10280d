"""A report as one HTML file: styles and charts are in it, nothing is fetched. Or as a part of another page.

Its tables can be sorted and filtered where scripts run; without them it says the same.
"""

from __future__ import annotations

import base64
import re
from dataclasses import replace

from app.reports.charts import svg
from app.reports.document import Document, Drawing, Level, is_captioned, readable
from app.reports.forms.bound import bound
from app.reports.media import shown


def render(document: Document) -> bytes:
    """Return the page, encoded."""
    return _rendered("page.html.j2", document).encode()


def fragment(document: Document) -> str:
    """Return what a notebook shows of a report: words and tables without style, and no charts, which take long."""
    shown = [
        replace(section, blocks=[block for block in section.blocks if not isinstance(block, Drawing)])
        for section in document.sections
    ]
    return _rendered("fragment.html.j2", Document(document.title, shown))


def _rendered(template: str, document: Document) -> str:
    from jinja2 import Environment, PackageLoader  # imported late: only pages need it

    document, pages = (
        bound(document),
        Environment(
            loader=PackageLoader("app.reports", "forms"), autoescape=True, trim_blocks=True, lstrip_blocks=True
        ),
    )
    text = pages.get_template(template).render(
        document=document,
        levels=[document.at(level) for level in Level],
        logo=base64.b64encode(document.cover.logo).decode() if document.cover else "",
        kind_of=lambda block: type(block).__name__,
        readable=readable,
        captioned=is_captioned,
        picture=_Pictures().draw,
    )
    return shown(text.rstrip()) + "\n"


class _Pictures:
    """The charts of one page: ids inside an SVG are made unique, since all share the page's."""

    def __init__(self) -> None:
        self._count = 0

    def draw(self, chart: Drawing) -> object:
        """Return a chart as markup."""
        from markupsafe import Markup

        self._count += 1
        prefix = f"c{self._count}-"
        text = re.sub(r'\bid="', f'id="{prefix}', svg(chart))
        return Markup(re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}", text))
