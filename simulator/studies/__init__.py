"""Many runs: validation and fits."""
