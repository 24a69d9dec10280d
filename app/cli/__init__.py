"""The `simulate` command, one module a command."""
