"""What is said of rows, and of the things whose rows they are."""
