"""How analysts type: short forms, other spellings, lists, and words that say nothing."""
