"""Analysis of people's own projects: which files, which checkers, what they found, quality gates and reports."""
