"""One emitter per engine; each takes a valid plan and never checks it again."""
