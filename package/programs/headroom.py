"""The packaged `headroom`."""

import sys

from app.gui.main import main

if __name__ == "__main__":
    sys.exit(main())
