"""How full a budget is, why, and what budget to ask for."""
