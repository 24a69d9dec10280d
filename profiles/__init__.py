"""The only reader of files: TOML profiles, checked and turned into models."""
