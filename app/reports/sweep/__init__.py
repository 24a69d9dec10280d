"""A sweep as a report."""
