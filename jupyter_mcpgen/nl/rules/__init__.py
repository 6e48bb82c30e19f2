"""The rules of the grammar; importing them enters them into its register."""

from jupyter_mcpgen.nl.rules import alone, charts, conditions, groups, letters, manner, numbers, orders, times

__all__ = ["alone", "charts", "conditions", "groups", "letters", "manner", "numbers", "orders", "times"]
