"""Containers of Docker or Podman (level 3)."""
