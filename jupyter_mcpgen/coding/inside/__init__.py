"""The checkers as the sandbox runs them; nothing of the product imports this package."""
