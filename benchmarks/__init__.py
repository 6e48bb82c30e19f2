"""What the product costs, beside named references measured in the same run: `make bench`."""
