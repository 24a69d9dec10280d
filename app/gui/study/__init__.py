"""The page Study."""
