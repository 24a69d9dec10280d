"""What ships as pages and as data, and what keys mean."""
