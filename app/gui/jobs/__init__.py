"""Child processes and what goes on in them: the simulation of a run, and of studies."""
