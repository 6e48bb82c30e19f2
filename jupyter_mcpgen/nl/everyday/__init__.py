"""Everyday English said in the words of the table, before it is read: "oldest" is the highest `age`."""
