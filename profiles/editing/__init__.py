"""Profiles changed: one value of a text, a text as a form has it, and what lies between two profiles."""
