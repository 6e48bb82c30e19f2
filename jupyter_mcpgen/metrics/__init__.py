"""How good a tool's code is, in figures; they are information, and only a person's decision promotes a tool."""
