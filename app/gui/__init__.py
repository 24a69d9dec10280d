"""The window: PySide6 and pyqtgraph. It shows what the same functions answer as on the command line."""
