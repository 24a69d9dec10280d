"""Packs the program into a folder that needs no Python: the spec, the licence notices, the drive of what was built."""
