"""What `headroom.py` asks for, answered in a process of its own."""
