"""The acceptance of a delivered cluster as a report."""
