"""What is true at any instant: pure functions and data about hardware, storage and jobs. No clock, no files."""
