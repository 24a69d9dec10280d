"""From profiles to plans: loaded, compared, validated, reported. The same for the command line and the window."""
