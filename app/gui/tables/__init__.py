"""Tables of the window: models of rows, columns that keep their widths, hints where there are no rows."""
