"""What Ceph has a bounded number of, by the names that runs have for it."""

MESSENGERS, READERS = "OSD messengers", "OSD threads that read"
REQUESTS, IN_FLIGHT, SHARDS = "RGW requests", "bytes asked of OSDs", "shards of bucket indexes"
