"""Clients: how what a workload wants becomes operations of a storage system."""
