"""Amounts, money, units and limits that are said without the name of their column."""
