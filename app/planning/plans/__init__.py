"""A plan: its options, the search over them, and what would flip its answer."""
