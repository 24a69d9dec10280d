"""The page Profile."""
