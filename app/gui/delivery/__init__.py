"""The delivered cluster: what it has to reach, what came out, and how it went since."""
