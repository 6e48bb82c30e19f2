"""Questions about single rows by name: two of them compared, one beside the others, what comes before or after."""
