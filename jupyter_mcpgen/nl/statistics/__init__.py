"""Questions for statistics: what is asked for is taken out of a question, and the chart parser reads the rest."""
