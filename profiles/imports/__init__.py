"""Readers of what programs print and log, each format a module; and the writers of the parts that follow from it."""
