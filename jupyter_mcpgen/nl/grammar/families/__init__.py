"""The rules by what they are about, a module for each family."""
