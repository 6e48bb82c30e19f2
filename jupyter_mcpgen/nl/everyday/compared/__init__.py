"""Groups, values and figures that are set against each other."""
