"""What a person can say to the product; the magics and the command line share it."""
