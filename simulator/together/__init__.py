"""Many workloads on one clock, jobs and loads of requests."""
