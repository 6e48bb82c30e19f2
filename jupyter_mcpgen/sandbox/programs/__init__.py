"""Any program and all it starts, held by a supervisor of its own."""
