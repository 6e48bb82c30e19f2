"""How meanings are composed: typed phrases, and rules that make a phrase of others."""
