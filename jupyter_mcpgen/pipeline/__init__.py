"""The two transactions, from a question to a staged card and from a decision to a tool."""
