"""Closed forms for planning: what a cluster holds, how it fills, what it costs and what it survives."""
