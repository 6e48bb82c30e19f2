"""Jobs under `sandbox-exec`; written from Apple's documents and not tried on a Mac yet."""
