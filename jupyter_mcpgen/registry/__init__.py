"""Tools on disk: staged for a decision, active, or archived; plain files with a journal and an audit log."""
