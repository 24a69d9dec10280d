"""From a drive to the named shared capacities of a cluster."""
