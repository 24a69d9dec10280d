"""How much the tests go through."""

import os

IS_WHOLE = os.environ.get("LAWS") == "all"
"""Whether the laws are held to everything, as with `make laws`, or to one of each kind."""
DRAWN = int(os.environ.get("DRAWN", "0"))
"""Number of the first profile that is drawn of the library; with another one others are."""
