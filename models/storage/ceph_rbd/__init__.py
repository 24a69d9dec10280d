"""Ceph block devices: files on images in a RADOS pool."""
