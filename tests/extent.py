"""How much the tests go through."""

import os

IS_WHOLE = os.environ.get("LAWS") == "all"
"""Whether the laws are held to everything, as with `make laws`, or to one of each kind."""
