"""Plans of customers, and the profiles of their candidates."""
