"""The answer to a plan as a report."""
