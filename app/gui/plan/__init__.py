"""The page Plan: from what a customer requires to a decision, in five steps."""
