"""What a text of TOML says, and where: files, lines, a tree of values with sources and ranges; and back to text."""
