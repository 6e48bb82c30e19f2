"""The rules of the grammar; importing them enters them into its register."""

from jupyter_mcpgen.nl.rules import alone, conditions, groups, manner, numbers, orders, times

__all__ = ["alone", "conditions", "groups", "manner", "numbers", "orders", "times"]
