"""A report as a text view shows it: white paper, charts as images. Knows no Qt."""

from __future__ import annotations

import base64
import re

PICTURE = 640  # logical pixels: width of a chart in the preview
SIZE = r'width="([\d.]+)pt" height="([\d.]+)pt"'
MARGINS = "max-width: 60rem; margin: 2rem auto; padding: 0 1rem;"  # of a page; text views give them to its title alone
PADDING, ROOM = "padding: .25rem .9rem .25rem 0;", "padding: 3px 10px 3px 0px;"  # of cells; text views know no rem
KEY = r"(?<=<td>)[^<\s]{24,}(?=</td>)"  # one so long that it may be broken after its dots
PAGE_MARGIN = 16  # logical pixels around the page
PAPER = "QTextBrowser { background: white; color: #1a1a1a; }"  # a report is paper in the dark theme, too


def readable(page: str) -> str:
    """Return a page as a text view shows it: charts as images, labels beside what they say, long keys that break."""

    def image(match: re.Match[str]) -> str:
        chart = re.sub(SIZE, _enlarged, match.group(0), count=1)
        return f'<img src="data:image/svg+xml;base64,{base64.b64encode(chart.encode()).decode()}">'

    page = re.sub(r"<dt>(.*?)</dt><dd>(.*?)</dd>", r"<tr><td><b>\1</b></td><td>\2</td></tr>", page, flags=re.DOTALL)
    page = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    page = page.replace("<dl>", "<table>").replace("</dl>", "</table>").replace(MARGINS, "").replace(PADDING, ROOM)
    style, end, body = page.rpartition("</style>")
    page = re.sub("margin[^;}]*", _of_text_views, style) + end + body
    page = re.sub(KEY, lambda match: match.group(0).replace(".", ".&#8203;"), page)
    page = page.replace("<pre>", '<pre style="white-space: pre-wrap">')
    page = re.sub(r"<figure[^>]*>", "<p>", page).replace("</figure>", "</p>")
    return re.sub(r"<svg\b.*?</svg>", image, page, flags=re.DOTALL)


def _enlarged(match: re.Match[str]) -> str:
    width, height = float(match.group(1)), float(match.group(2))
    return f'width="{PICTURE}" height="{round(PICTURE * height / width)}"'


def _of_text_views(margin: re.Match[str]) -> str:
    """Return a margin in a measure that text views know: without it headings touch what is above them."""
    return margin.group(0).replace("rem", "em")
