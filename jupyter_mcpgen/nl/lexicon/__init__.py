"""What words of a language mean, read from data files."""
