"""Questions that change the answer before them, and requests in several steps."""
