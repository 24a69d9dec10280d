"""A report with all that it was made from, in one archive: whoever gets it reads it, and makes it again."""

from __future__ import annotations

from importlib.metadata import version

from app.reports.document import Document
from app.reports.forms import document_html, document_json
from app.reports.forms.zipped import archive
from app.reports.media import line

AGAIN = """{title}

report.html     the report, to be read in a browser
report.json     the same, with all numbers, to be read by programs
{files}
{again}
"""
HOW = """To make it again, with headroom {version}, in this folder:

    {command}

The same version gives the same numbers.
"""


def render(document: Document) -> bytes:
    """Return the archive."""
    names = [line(name) for name in document.files]
    width = max(map(len, names), default=0)
    files = "".join(f"{name.ljust(max(width, 14))}  what it was made from\n" for name in names)
    again = HOW.format(version=version("headroom"), command=document.command) if document.command else ""
    page = AGAIN.format(title=line(document.title), files=files, again=again)
    made = {
        name: content if isinstance(content, bytes) else content.encode() for name, content in document.files.items()
    }
    return archive(
        {
            "README.txt": page.rstrip().encode() + b"\n",
            "report.html": document_html.render(document),
            "report.json": document_json.render(document).encode(),
            **made,
        }
    )
