"""Quotations of vendors as price lists: reads their rows, and says which part each is for."""
