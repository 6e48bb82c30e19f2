"""The gates of a tool, a file each; `registry` lists them."""
