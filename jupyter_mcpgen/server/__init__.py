"""The MCP face: serves the active tools of a registry to every client, over stdio and over HTTP.

`launch`, `connect`, `listening`, `tokens` and `private` are light and may be imported from a kernel; all other modules
import FastMCP or its companions (1.2 s) and belong to the server process.
"""
