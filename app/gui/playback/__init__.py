"""A run shown over its time."""
