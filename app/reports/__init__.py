"""Results put into words and tables; knows no terminal and no window."""
