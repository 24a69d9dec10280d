"""The forms that a report takes: text, Markdown, HTML, PDF, slides, workbook, JSON, CSV, archive."""
