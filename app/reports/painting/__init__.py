"""What paints the drawings of a report: a module for each kind, by Matplotlib."""
