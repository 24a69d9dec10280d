"""What happens over time: executes the work that models describe on a clock. Knows no file system."""
