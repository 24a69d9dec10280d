"""The page Size."""
