"""Jobs: their stages, tasks and slots, until all is committed."""
