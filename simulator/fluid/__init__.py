"""Works that share resources: the compiled kernel that gives each its rate, and its Python side."""
