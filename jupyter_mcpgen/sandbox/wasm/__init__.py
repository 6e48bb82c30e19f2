"""Code in WebAssembly: an optional second way to run Python and JavaScript, with a hard limit on instructions.

Nothing of it is loaded before it is asked for by name, and it never stands in for the native sandbox by itself.
"""
