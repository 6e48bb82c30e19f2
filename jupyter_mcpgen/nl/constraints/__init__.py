"""What a reading must not do, whatever its words: constraints over the plan, which refuse, ask or note."""
