"""The page Start."""
