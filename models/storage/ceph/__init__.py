"""Ceph: RADOS pools, and the object gateway (RGW) over them."""
