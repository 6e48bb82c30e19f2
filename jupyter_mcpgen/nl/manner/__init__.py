"""What a question says about how its answer is shown: chart, order, bins; one file per kind of clause."""
