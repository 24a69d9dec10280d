"""A validation as a report."""
