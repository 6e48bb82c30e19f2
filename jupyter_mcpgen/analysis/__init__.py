"""What source says without running it: its capabilities, its contract and its lint."""
