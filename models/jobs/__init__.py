"""Workloads as jobs: stages of tasks."""
