"""NetApp StorageGRID."""
