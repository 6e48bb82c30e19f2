"""Turn a request into a candidate: a plan, a contract and code."""
