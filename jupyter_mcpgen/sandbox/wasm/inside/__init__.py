"""One QuickJS interpreter, and the program that keeps it for a session.

Nothing here imports anything but the standard library, wasmtime and its siblings: it is copied into the sandbox as it
is, and used by this process as well.
"""
