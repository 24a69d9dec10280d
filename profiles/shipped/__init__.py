"""Tables that ship beside the profiles: comparisons, documented outcomes, and how far off answers were."""
