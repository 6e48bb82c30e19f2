"""The MCP face: serves the active tools of a registry to every client, over stdio and over HTTP.

`launch`, `connect`, `tokens` and `private` are light and may be imported from a kernel; `app`, `auth`, `compat`,
`provider`, `serve` and `watch` import FastMCP or its companions (1.2 s) and belong to the server process.
"""
