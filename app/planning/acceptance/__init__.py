"""The acceptance of a delivered cluster."""
