"""Makes new components from a specification: read, rendered from a template, checked, shown, and only then written."""
