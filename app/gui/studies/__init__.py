"""What the pages that run studies share: axes, places to run, forms to export, progress."""
