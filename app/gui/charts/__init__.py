"""What the charts of all pages share."""
