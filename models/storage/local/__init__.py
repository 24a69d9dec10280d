"""Files on servers' own drives."""
