"""Where bytes lie, and what an access costs on which resources."""
