"""Sessions: workspaces that stay, and interpreters that keep their variables."""
