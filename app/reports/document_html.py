"""A report as one HTML file: styles and charts are in it, nothing is fetched."""

from __future__ import annotations

import re

from app.reports.charts import svg
from app.reports.document import Chart, Document, readable


def render(document: Document) -> bytes:
    """Return the page, encoded."""
    from jinja2 import Environment, PackageLoader  # imported late: only pages need it

    page = Environment(loader=PackageLoader("app", "reports"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    pictures = _Pictures()
    text = page.get_template("page.html.j2").render(
        document=document, kind_of=lambda block: type(block).__name__, readable=readable, picture=pictures.draw
    )
    return (text.rstrip() + "\n").encode()


class _Pictures:
    """The charts of one page: ids inside an SVG are made unique, since all share the page's."""

    def __init__(self) -> None:
        self._count = 0

    def draw(self, chart: Chart) -> object:
        """Return a chart as markup."""
        from markupsafe import Markup

        self._count += 1
        prefix = f"c{self._count}-"
        text = re.sub(r'\bid="', f'id="{prefix}', svg(chart))
        return Markup(re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}", text))
