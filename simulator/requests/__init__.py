"""Requests over stations: the compiled loop, what comes into it, and how the requests fared."""
