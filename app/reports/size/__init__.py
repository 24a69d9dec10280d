"""A sizing as a report."""
