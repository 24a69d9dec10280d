"""What the user meets: the command line and the reports. The only floor that may import all others."""
